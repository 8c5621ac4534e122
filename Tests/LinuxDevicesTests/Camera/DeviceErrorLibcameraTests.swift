import Devices
import Glibc
import Testing

@testable import LinuxDevices

@Suite struct DeviceErrorLibcameraTests {
  @Test(arguments: [
    (ENODEV, DeviceError.Code.disconnected), (ENXIO, .disconnected), (EBADF, .disconnected),
    (EBUSY, .busy), (EACCES, .permissionDenied), (EPERM, .permissionDenied),
    (ENOTSUP, .unsupported), (ENOTCONN, .unsupported), (EINVAL, .misconfigured),
    (ENOMEM, .outOfMemory), (ETIMEDOUT, .timedOut), (ENOTRECOVERABLE, .needsNewProcess),
    (ESHUTDOWN, .needsNewProcess), (EIO, .inputOutput), (ECANCELED, .timedOut),
    (EPIPE, .inputOutput),
  ])
  func `an errno has a code`(number: Int32, code: DeviceError.Code) {
    let error = DeviceError(ShimOutcome(status: -number, cause: ""), device: "c", problem: "p")
    #expect(error.code == code)
  }

  @Test(arguments: [
    (ENOTRECOVERABLE, DeviceError.Code.timedOut), (ESHUTDOWN, .disconnected), (ENODEV, nil),
  ])
  func `a used up library tells the original fault`(number: Int32, code: DeviceError.Code?) {
    let error = DeviceError(ShimOutcome(status: -number, cause: ""), device: "c", problem: "p")
    #expect(error.underlyingCode == code)
  }

  @Test func `a camera that was never open is absent`() {
    let error = DeviceError(
      ShimOutcome(status: -ENODEV, cause: ""), device: "c", problem: "p", missing: .absent)
    #expect(error.code == .absent)
  }

  @Test func `the shim's words come before the system's`() {
    let said = DeviceError(
      ShimOutcome(status: -EBUSY, cause: "another process has it"), device: "imx708",
      problem: "cannot be opened")
    #expect(said.description == "\"imx708\" cannot be opened: another process has it")
    let unsaid = DeviceError(
      ShimOutcome(status: -EBUSY, cause: ""), device: "imx708", problem: "cannot be opened")
    #expect(unsaid.description == "\"imx708\" cannot be opened: Device or resource busy")
  }
}
