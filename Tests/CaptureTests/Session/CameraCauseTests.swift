import Capture
import Devices
import SimulatedDevices
import TestSupport
import Testing

/// Busy, forbidden and absent cameras look alike in a list; the technician gets the true reason.
@Suite(.timeLimit(.minutes(10))) struct CameraCauseTests {
  struct Cause: Sendable, CustomTestStringConvertible {
    var fault: CameraFault
    var reason: InterruptionReason
    var words: String
    var testDescription: String { "\(fault)" }
  }

  static let causes = [
    Cause(fault: .absent, reason: .cameraAbsent, words: "was not found"),
    Cause(fault: .busy, reason: .cameraInUse, words: "Device or resource busy"),
    Cause(fault: .permissionDenied, reason: .cameraNotAuthorized, words: "Permission denied"),
  ]

  private static let models = [
    SimulatedCameraModel(id: "cam0"), SimulatedCameraModel(id: "cam1", position: .external),
  ]

  private static func harness() -> SessionHarness {
    SessionHarness(cameraModels: models) { $0.cameras = [.main: .id("cam0")] }
  }

  /// The other camera of the rig is listed all the time.
  @Test(arguments: causes) func `the reason of an unavailable camera is reported`(_ given: Cause)
    async throws
  {
    let harness = Self.harness()
    _ = await harness.wait()
    // Only a camera that is opened again is refused.
    await harness.session.stop()
    try await eventually { await harness.session.currentStatus.camera == nil }
    harness.world.inject(given.fault, camera: "cam0")
    await harness.session.resume()
    let readiness = await harness.wait { $0.reasons.contains(given.reason) }
    #expect(readiness.state == .notReadyMomentarily)
    let log = await harness.session.interruptionLog
    let told = (log.lasting + log.ended).first { $0.reason == given.reason }
    #expect(told?.cause?.contains(given.words) == true, "\(told?.cause ?? "")")
    let refused = try await harness.press()
    #expect(refused?.outcome != nil)
    harness.world.clear(given.fault, camera: "cam0")
    _ = await harness.wait()
    #expect(harness.session.readiness.reasons.isEmpty, "given back at run time")
    await harness.stop()
  }
}
