import Capture
import Devices
import Dispatch
import Logging
import SimulatedDevices
import TestSupport
import Testing

/// Changes of the configuration that come while the camera is being opened or started.
@Suite(.timeLimit(.minutes(10))) struct ChangeDuringStartTests {
  private let desk = CameraRole(rawValue: "desk")
  private let clock = ManualClock()

  private func session(_ cameras: any CameraSystem) -> CaptureSession {
    var configuration = CaptureSessionConfiguration(
      camera: .first,
      stream: StreamConfiguration(size: FrameSize(width: 640, height: 360), frameRate: 50))
    configuration.cameras = [.main: .id("hanging"), desk: .id("other")]
    return CaptureSession(
      configuration: configuration, cameras: cameras, numbers: PressNumbers { 1..<Int64(1 + $0) },
      clock: clock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      receive: { _, _ in .refused(.encodingFailed) })
  }

  @Test func theCameraThatWasNamedMeanwhileIsTheOneThatStreams() async throws {
    let camera = HangingCamera(in: .open)
    let session = session(camera)
    let events = session.events.listen(limit: 4096)
    let running = Task { try await session.run() }
    for await _ in camera.hangs { break }
    try await session.configure(camera: desk)
    camera.release()
    for await case .session(let status) in events where status.stream != nil {
      #expect(status.cameraRole == desk)
      #expect(!status.isStandbyInUse)
      break
    }
    #expect(camera.openedIDs == ["hanging", "other"])
    #expect(camera.closeCount == 1, "the first must be given back")
    running.cancel()
    _ = await running.result
  }

  @Test func settingsThatWereChangedMeanwhileAreThoseThatStream() async throws {
    let camera = HangingCamera(in: .start)
    let session = session(camera)
    let running = Task { try await session.run() }
    for await _ in camera.hangs { break }
    let wanted = FrameSize(width: 800, height: 450)
    try await session.configure { $0.preset = .custom(wanted) }
    camera.release()
    try await eventually { await session.currentStatus.stream?.format.size == wanted }
    #expect(await session.resolvedSettings.settings.preset == .custom(wanted))
    running.cancel()
    _ = await running.result
  }

  @Test func theCameraIsChangedAlsoWhileTheOtherIsBeingStarted() async throws {
    let camera = HangingCamera(in: .start)
    let session = session(camera)
    let running = Task { try await session.run() }
    for await _ in camera.hangs { break }
    try await session.configure(camera: desk)
    camera.release()
    try await eventually { await session.currentStatus.cameraRole == desk }
    #expect(camera.openedIDs == ["hanging", "other"])
    #expect(await !session.currentStatus.isStandbyInUse)
    running.cancel()
    _ = await running.result
  }

  /// The stream ends, and in the same turn a change has been found to be possible: somebody still
  /// waits for what becomes of it.
  @Test func aChangeThatMeetsTheEndOfTheStreamIsAnswered() async throws {
    let camera = HangingCamera(in: .resolve)
    let session = session(camera)
    let running = Task { try await session.run() }
    try await eventually { await session.currentStatus.stream != nil }
    let change = Task { () -> ConfigurationFailure? in
      do throws(ConfigurationFailure) {
        try await session.configure { $0.preset = .custom(FrameSize(width: 800, height: 450)) }
        return nil
      } catch {
        return error
      }
    }
    for await _ in camera.hangs { break }
    // Both come to the session while it is held, one right after the other.
    let (held, isHeld) = AsyncStream.makeStream(of: Void.self)
    let end = DispatchSemaphore(value: 0)
    async let holding: Void = session.hold(until: end, telling: isHeld)
    for await _ in held { break }
    camera.send(.disconnected)
    camera.release()
    try await Task.sleep(for: .milliseconds(50))
    end.signal()
    await holding
    #expect(await change.value?.consequence == .interrupted)
    running.cancel()
    _ = await running.result
  }

  /// What was kept while there was no camera to ask gives way when the camera has it not.
  @Test func keptSettingsThatCannotBeHadGiveWay() async throws {
    var model = SimulatedCameraModel()
    model.capabilities.maximumVideoZoomFactor = 1
    let rig = VirtualSession(cameraModels: [model])
    rig.world.inject(.absent)
    await rig.wait { $0.session.readiness.reasons.contains(.cameraAbsent) }
    try await rig.session.configure { $0.controls.videoZoomFactor = 3 }
    rig.world.clear(.absent)
    #expect(await rig.wait())
    let settings = await rig.session.currentSettings
    #expect(settings.controls.videoZoomFactor == 1)
    await rig.stop()
  }

  /// Settings with which the camera fails again and again are not tried for ever.
  @Test func keptSettingsThatFailGiveWay() async throws {
    let rig = VirtualSession()
    await rig.wait()
    let before = await rig.session.currentSettings
    rig.world.inject(.absent)
    await rig.wait { await $0.session.currentStatus.stream == nil }
    try await rig.session.configure { $0.preset = .custom(FrameSize(width: 800, height: 450)) }
    rig.world.failNextStarts(2)
    rig.world.clear(.absent)
    #expect(await rig.wait())
    #expect(await rig.session.currentSettings == before)
    await rig.stop()
  }

  /// A camera that failed is left open for the next attempt; that is not another role's.
  @Test func theCameraIsChangedAlsoBeforeTheNextAttemptWithTheOther() async throws {
    let models = [SimulatedCameraModel(id: "first"), SimulatedCameraModel(id: "other")]
    let desk = desk
    let rig = VirtualSession(cameraModels: models) {
      $0.cameras = [.main: .id("first"), desk: .id("other")]
      $0.recovery.pauses = [.seconds(30)]
    }
    await rig.wait()
    rig.world.cancelStreams(camera: "first")
    await rig.wait { await $0.session.currentStatus.lastRecovery == .restartStream }
    let begin = rig.clock.now
    try await rig.session.configure(camera: desk)
    #expect(await rig.wait())
    #expect(begin.duration(to: rig.clock.now) < .seconds(10), "nobody waits for the other camera")
    let status = await rig.session.currentStatus
    #expect(status.camera?.id == "other")
    #expect(status.cameraRole == desk && !status.isStandbyInUse)
    let session = rig.session
    let back = await rig.during { try? await session.configure(camera: .main) }
    #expect(back?.camera?.id == "first")
    await rig.stop()
  }

  /// What was started and gave no frame is not what is gone back to.
  @Test func settingsThatGaveNoFrameAreNotGoneBackTo() async throws {
    var model = SimulatedCameraModel()
    model.capabilities.maximumVideoZoomFactor = 1
    let rig = VirtualSession(cameraModels: [model])
    await rig.wait()
    let before = await rig.session.currentSettings
    rig.world.inject(.absent)
    await rig.wait { await $0.session.currentStatus.stream == nil }
    try await rig.session.configure { $0.preset = .custom(FrameSize(width: 800, height: 450)) }
    rig.world.inject(.stalled)
    rig.world.clear(.absent)
    await rig.wait { await $0.session.currentStatus.stream?.format.size.width == 800 }
    rig.world.inject(.absent)
    await rig.wait { await $0.session.currentStatus.stream == nil }
    try await rig.session.configure { $0.controls.videoZoomFactor = 3 }
    rig.world.clear(.stalled)
    rig.world.clear(.absent)
    #expect(await rig.wait())
    #expect(await rig.session.currentSettings == before)
    await rig.stop()
  }
}

extension CaptureSession {
  /// Keeps the session's queue to itself.
  fileprivate func hold(
    until end: DispatchSemaphore, telling isHeld: AsyncStream<Void>.Continuation
  ) {
    isHeld.yield()
    end.wait()
  }
}
