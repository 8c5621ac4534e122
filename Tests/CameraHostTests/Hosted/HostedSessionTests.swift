import CameraHost
import Capture
import Devices
import Foundation
import Logging
import SimulatedDevices
import TestSupport
import Testing

extension HostedCameras {
  /// A capture session whose camera process dies.
  @Suite struct HostedSessionTests {
    private func session(_ system: HostedCameraSystem) -> CaptureSession {
      // On a busy machine frames come late, and that is no stall.
      var configuration = CaptureSessionConfiguration(
        camera: .first, stream: Fixture.small, stallTimeout: .seconds(60))
      configuration.settings.prioritization = .quality
      // Each test kills a process, and one stream fails once.
      configuration.recovery.pauses = [.milliseconds(10)]
      return CaptureSession(
        configuration: configuration, cameras: system,
        numbers: PressNumbers { [numbers = NumberBlocks()] in numbers.reserve($0) },
        clock: SystemMonotonicClock(), logger: .silent,
        receive: { _, _ in .refused(.encodingFailed) })
    }

    @Test func `the stream after a crash has the same controls`() async throws {
      let system = Fixture.system("simulated")
      let session = session(system)
      let running = Task { try await session.run() }
      try await session.waitForStream(1)
      // A busy machine may give too few frames within the limit.
      var first: CameraCalibration?
      try await eventually {
        first = try? await session.calibrate()
        return first != nil
      }
      let calibration = try #require(first)
      let before = try #require(await session.currentStatus.controls)
      #expect(before.isCalibrated)
      #expect(before.controls.focusMode == .locked(lensPosition: calibration.lensPosition))
      #expect(before.controls.noiseReduction == .highQuality)

      let streams = await session.currentStatus.streamStartCount
      kill(try #require(system.processID), SIGKILL)
      try await session.waitForStream(streams + 1)
      #expect(await session.currentStatus.lastRecovery == .restartStream)
      #expect(await session.currentStatus.controls == before)
      running.cancel()
      _ = await running.result
      await system.shutDown()
    }
  }
}

extension CaptureSession {
  /// Waits until so many streams have been started and the last one gives frames.
  fileprivate nonisolated func waitForStream(_ number: Int) async throws {
    try await eventually { await hasStream(number) }
  }

  private func hasStream(_ number: Int) -> Bool {
    currentStatus.streamStartCount >= number && readiness.state == .ready
  }
}
