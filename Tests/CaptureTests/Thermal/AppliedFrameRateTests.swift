import Devices
import SimulatedDevices
import Testing

@testable import Capture

/// The frame rate in the status while the rig is hot.
@Suite(.timeLimit(.minutes(10))) struct AppliedFrameRateTests {
  @Test func `the status has the frame duration that the camera accepted`() async throws {
    let rig = VirtualSession()
    await rig.wait()
    // The simulated sensor's slowest rate is one frame in ten seconds.
    for (allowed, applied) in [(10.0, Duration.milliseconds(100)), (0.02, .seconds(10))] {
      await rig.session.apply(CaptureConstraints(maximumFrameRate: allowed))
      #expect(await rig.session.currentStatus.stream?.frameDuration == applied)
    }
    await rig.stop()
  }
}
