import Devices
import Testing

@testable import LinuxDevices

@Suite struct AccelerometerRecoveryTests {
  private func instant(_ seconds: Double) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: Int64(seconds * 1e9))
  }

  private let gone = DeviceError(.disconnected, device: "lis3dh", problem: "is gone")
  private let absent = DeviceError(.absent, device: "lis3dh", problem: "cannot be found")

  @Test(arguments: [(100.0, 1.0), (5, 1), (1, 5)])
  func `the limit of silence follows the rate`(rate: Double, limit: Double) {
    let recovery = AccelerometerRecovery(rate: rate, openedAt: instant(0))
    #expect(recovery.stallLimit == .seconds(limit))
    #expect(!recovery.isStalled(at: instant(limit)))
    #expect(recovery.isStalled(at: instant(limit + 0.001)))
  }

  @Test func `samples end the silence`() {
    var recovery = AccelerometerRecovery(rate: 10, openedAt: instant(0))
    recovery.sampled(at: instant(5))
    #expect(!recovery.isStalled(at: instant(5.9)))
  }

  @Test func `pauses grow to a limit until samples come`() {
    var recovery = AccelerometerRecovery(rate: 10, openedAt: instant(0))
    let pauses = (0..<7).map { _ in recovery.failed(absent).pause }
    #expect(pauses == [0.5, 1, 2, 4, 8, 8, 8].map { Duration.seconds($0) })
    recovery.opened(at: instant(1))
    let firstFailure = recovery.failed(absent)
    #expect(firstFailure.pause == .seconds(8))
    recovery.sampled(at: instant(2))
    let secondFailure = recovery.failed(absent)
    #expect(secondFailure.pause == .milliseconds(500))
  }

  @Test func `a fault is reported once until another one or its end`() {
    var recovery = AccelerometerRecovery(rate: 10, openedAt: instant(0))
    let firstFailure = recovery.failed(gone)
    #expect(firstFailure.isNews)
    let secondFailure = recovery.failed(gone)
    #expect(!secondFailure.isNews)
    let thirdFailure = recovery.failed(absent)
    #expect(thirdFailure.isNews)
    recovery.sampled(at: instant(2))
    let fourthFailure = recovery.failed(absent)
    #expect(fourthFailure.isNews)
  }

  @Test func `opening the sensor restarts the time of silence`() {
    var recovery = AccelerometerRecovery(rate: 10, openedAt: instant(0))
    recovery.opened(at: instant(100))
    #expect(!recovery.isStalled(at: instant(100.5)))
  }
}
