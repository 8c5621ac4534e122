import Devices
import Glibc

extension DeviceError {
  /// Makes an error from the shim's `errno` and cause.
  ///
  /// - Parameter missing: the code for `ENODEV`: `absent` before a camera is open, else
  ///   `disconnected`.
  init(_ outcome: ShimOutcome, device: String, problem: String, missing: Code = .disconnected) {
    let code: Code =
      switch -outcome.status {
      case ENODEV, ENXIO: missing
      case EBADF: .disconnected
      case EBUSY: .busy
      case EACCES, EPERM: .permissionDenied
      case ENOPKG: .libraryUnknown
      case ENOTSUP, ENOTCONN: .unsupported
      case EINVAL: .misconfigured
      case ENOMEM: .outOfMemory
      // Requests that this process did not cancel: the pipeline gave up waiting for the sensor.
      case ETIMEDOUT, ECANCELED: .timedOut
      case ENOTRECOVERABLE, ESHUTDOWN: .needsNewProcess
      default: .inputOutput
      }
    let cause = outcome.cause.isEmpty ? SystemError(outcome.status).description : outcome.cause
    let underlyingCode: Code? =
      switch -outcome.status {
      case ENOTRECOVERABLE: .timedOut
      case ESHUTDOWN: .disconnected
      default: nil
      }
    self.init(
      code, device: device, problem: problem, cause: cause, underlyingCode: underlyingCode)
  }
}
