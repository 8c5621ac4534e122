import Capture
import Devices
import SimulatedDevices
import Synchronization
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct ConfigurationTests {
  private func models() -> [SimulatedCameraModel] {
    var other = SimulatedCameraModel()
    other.id = "other"
    var first = SimulatedCameraModel()
    first.id = "first"
    return [first, other]
  }

  private func twoCameras(_ configuration: inout CaptureSessionConfiguration) {
    configuration.cameras = [.main: .id("first"), CameraRole(rawValue: "desk"): .id("other")]
  }

  @Test func `a preset resolves and returns its result`() async throws {
    let harness = SessionHarness()
    _ = await harness.wait()
    let resolved = try await harness.session.configure { $0.preset = .document }
    let stream = try #require(resolved.stream)
    #expect(stream.format.size.width >= 1000 && stream.format.size.width <= 1100)
    _ = await harness.wait()
    let record = try await harness.press()
    #expect(record?.frame != nil)
    let size = await harness.session.currentStatus.stream?.format.size
    #expect(size == stream.format.size)
    await harness.stop()
  }

  @Test func `an impossible change is refused and the stream goes on`() async throws {
    let harness = SessionHarness()
    _ = await harness.wait()
    let starts = await harness.session.currentStatus.streamStartCount
    await #expect(throws: ConfigurationFailure.self) {
      try await harness.session.configure { $0.camera = CameraRole(rawValue: "moon") }
    }
    let after = await harness.session.currentStatus
    #expect(after.streamStartCount == starts)
    #expect(harness.session.readiness.state == .ready)
    let settings = await harness.session.resolvedSettings.settings
    #expect(settings.camera == .main)
    await harness.stop()
  }

  @Test func `a failed change is rolled back`() async throws {
    let harness = SessionHarness()
    _ = await harness.wait()
    let before = await harness.session.resolvedSettings.settings
    harness.world.failNextStarts(1)
    let failure = await #expect(throws: ConfigurationFailure.self) {
      try await harness.session.configure { $0.preset = .hd1920x1080 }
    }
    #expect(failure?.consequence == .rolledBack)
    let settings = await harness.session.resolvedSettings.settings
    #expect(settings == before)
    _ = await harness.wait()
    #expect(harness.session.readiness.reasons.isEmpty)
    let record = try await harness.press()
    #expect(record?.frame != nil)
    await harness.stop()
  }

  @Test func `the camera is switched while the session runs`() async throws {
    let harness = SessionHarness(cameraModels: models(), change: twoCameras)
    _ = await harness.wait()
    let resolved = try await harness.session.configure { $0.camera = CameraRole(rawValue: "desk") }
    #expect(resolved.camera?.id == "other")
    _ = await harness.wait()
    let record = try await harness.press()
    #expect(record?.frame != nil)
    _ = try await harness.session.configure { $0.camera = .main }
    let status = await harness.session.currentStatus
    #expect(status.camera?.id == "first")
    await harness.stop()
  }

  @Test func `a held frame stays that of its camera`() async throws {
    let harness = SessionHarness(cameraModels: models(), change: twoCameras)
    _ = await harness.wait()
    let session = harness.session
    let time = harness.world.clock.now
    let anticipation = try #require(await session.anticipate(at: time))
    try await harness.wait(frames: 12)
    _ = try await session.configure { $0.camera = CameraRole(rawValue: "desk") }
    _ = await harness.wait()
    let number = try await session.press(at: time, source: .button, anticipation: anticipation)
    #expect(await session.outcome(of: number)?.frame != nil)
    #expect(await harness.store.isLatestAsConfigured == true)
    #expect(try await harness.press()?.frame != nil)
    #expect(await harness.store.isLatestAsConfigured == false)
    await harness.stop()
  }

  @Test func `an unavailable camera leaves the old one running`() async throws {
    let harness = SessionHarness(cameraModels: models(), change: twoCameras)
    _ = await harness.wait()
    harness.world.inject(.busy, camera: "other")
    let starts = await harness.session.currentStatus.streamStartCount
    let failure = await #expect(throws: ConfigurationFailure.self) {
      try await harness.session.configure { $0.camera = CameraRole(rawValue: "desk") }
    }
    #expect(failure?.consequence == .refused)
    #expect(failure?.error.code == .busy)
    harness.world.clear(.busy, camera: "other")
    harness.world.inject(.outOfMemory, camera: "other")
    let second = await #expect(throws: ConfigurationFailure.self) {
      try await harness.session.configure { $0.camera = CameraRole(rawValue: "desk") }
    }
    #expect(second?.consequence == .rolledBack)
    let status = await harness.session.currentStatus
    #expect(status.camera?.id == "first")
    #expect(status.streamStartCount == starts + 1)
    _ = await harness.wait()
    await harness.stop()
  }

  @Test func `the standby takes over`() async throws {
    let harness = SessionHarness(cameraModels: models()) {
      twoCameras(&$0)
      $0.standby = CameraRole(rawValue: "desk")
      $0.recovery.pauses = [.milliseconds(20)]
      $0.recovery.externalPauses = [.milliseconds(20)]
    }
    _ = await harness.wait()
    let events = harness.session.events.listen(limit: 4096)
    harness.world.inject(.absent, camera: "first")
    _ = await harness.wait(in: events) { !$0.reasons.isEmpty }
    _ = await harness.wait()
    let status = await harness.session.currentStatus
    #expect(status.camera?.id == "other")
    #expect(status.isStandbyInUse)
    let record = try await harness.press()
    #expect(record?.frame != nil)
    harness.world.clear(.absent, camera: "first")
    _ = try await harness.session.configure(camera: .main)
    let later = await harness.session.currentStatus
    #expect(later.camera?.id == "first")
    #expect(!later.isStandbyInUse)
    await harness.stop()
  }

  /// Many callers change settings at once: every change is made whole, one after the other.
  @Test func `changes of several callers are made one after the other`() async throws {
    let harness = SessionHarness()
    _ = await harness.wait()
    let sizes = [640, 800, 1024, 1280].map { FrameSize(width: $0, height: $0 * 9 / 16) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, size) in sizes.enumerated() {
        group.addTask {
          try await harness.session.configure {
            $0.preset = .custom(size)
            $0.prioritization = index % 2 == 0 ? .speed : .quality
          }
        }
      }
      try await group.waitForAll()
    }
    let resolved = await harness.session.resolvedSettings
    #expect(resolved.stream?.format.size == resolved.settings.preset.size(for: resolved.camera!))
    _ = await harness.wait()
    await harness.stop()
  }

  @Test func `presses in flight get their frames first`() async throws {
    let harness = SessionHarness()
    _ = await harness.wait()
    for round in 0..<5 {
      let number = try await harness.session.press(
        at: harness.world.clock.now.advanced(by: .milliseconds(30)), source: .button)
      let size = FrameSize(width: 640 + 16 * round, height: 360)
      _ = try await harness.session.configure { $0.preset = .custom(size) }
      let record = await harness.session.outcome(of: number)
      #expect(record?.frame != nil, "round \(round)")
      _ = await harness.wait()
    }
    await harness.stop()
  }

  @Test func `a technician stops and resumes`() async throws {
    let harness = SessionHarness()
    _ = await harness.wait()
    await harness.session.stop()
    let stopped = await harness.wait { $0.state == .sessionNotRunning }
    #expect(stopped.reasons == [.stoppedByTechnician])
    try await eventually { await harness.session.currentStatus.camera == nil }
    let refused = try await harness.press()
    #expect(refused?.outcome == .refused(RefusalReason(.stoppedByTechnician)))
    await harness.session.resume()
    _ = await harness.wait()
    let record = try await harness.press()
    #expect(record?.frame != nil)
    await harness.stop()
  }
}
