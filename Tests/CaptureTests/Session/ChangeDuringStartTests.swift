import Devices
import Dispatch
import SimulatedDevices
import TestSupport
import Testing

@testable import Capture

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
      configuration: configuration, cameras: cameras,
      numbers: PressNumbers { [numbers = NumberBlocks()] in numbers.reserve($0) },
      clock: clock, logger: .silent,
      receive: { _, _ in .refused(.encodingFailed) })
  }

  @Test func `a camera chosen meanwhile is the one that streams`() async throws {
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

  @Test func `settings changed meanwhile are used by the stream`() async throws {
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

  @Test func `the camera can be changed while the other one starts`() async throws {
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

  /// The camera is wanted again before it is closed.
  @Test func `a stream that starts again is not shown before`() async throws {
    let camera = HangingCamera(in: .stop)
    let session = session(camera)
    let events = session.events.listen(limit: 4096)
    let running = Task { try await session.run() }
    try await eventually { await session.currentStatus.stream != nil }
    await session.stop()
    for await _ in camera.hangs { break }
    await session.resume()
    camera.release()
    var isShown: [Bool] = []
    for await case .session(let status) in events {
      isShown.append(status.stream != nil)
      if status.streamStartCount == 2 { break }
    }
    #expect(isShown == [true, false, true])
    #expect(camera.closeCount == 0)
    running.cancel()
    _ = await running.result
  }

  /// The stream ends in the same turn in which a change has been found possible.
  ///
  /// The caller still waits for the result of the change.
  @Test func `a change that meets the end of the stream is answered`() async throws {
    let camera = HangingCamera(in: .resolve)
    let session = session(camera)
    let running = Task { try await session.run() }
    try await eventually { await session.currentStatus.stream != nil }
    let change = Task.detached(executorPreference: await session.queueTasks) {
      () -> ConfigurationFailure? in
      do throws(ConfigurationFailure) {
        try await session.configure { $0.preset = .custom(FrameSize(width: 800, height: 450)) }
        return nil
      } catch {
        return error
      }
    }
    for await _ in camera.hangs { break }
    // Both are put on the session's queue while it is held, one right after the other.
    let (held, isHeld) = AsyncStream.makeStream(of: Void.self)
    let end = DispatchSemaphore(value: 0)
    async let holding: Void = session.hold(until: end, telling: isHeld)
    for await _ in held { break }
    camera.send(.disconnected)
    camera.release()
    end.signal()
    await holding
    #expect(await change.value?.consequence == .interrupted)
    running.cancel()
    _ = await running.result
  }

  /// Settings kept while no camera could be asked are dropped if the camera lacks them.
  @Test func `kept settings that the camera lacks are dropped`() async throws {
    var model = SimulatedCameraModel()
    model.capabilities.maximumVideoZoomFactor = 1
    let rig = VirtualSession(cameraModels: [model])
    rig.world.inject(.absent)
    await rig.wait { $0.session.readiness.reasons.contains(.cameraAbsent) }
    try await rig.session.configure { $0.controls.videoZoomFactor = 3 }
    rig.world.clear(.absent)
    #expect(await rig.wait())
    let settings = await rig.session.resolvedSettings.settings
    #expect(settings.controls.videoZoomFactor == 1)
    await rig.stop()
  }

  /// Settings with which the camera fails repeatedly are not retried for ever.
  @Test func `kept settings that fail are dropped`() async throws {
    let rig = VirtualSession()
    await rig.wait()
    let before = await rig.session.resolvedSettings.settings
    rig.world.inject(.absent)
    await rig.wait { await $0.session.currentStatus.stream == nil }
    try await rig.session.configure { $0.preset = .custom(FrameSize(width: 800, height: 450)) }
    rig.world.failNextStarts(2)
    rig.world.clear(.absent)
    #expect(await rig.wait())
    #expect(await rig.session.resolvedSettings.settings == before)
    await rig.stop()
  }

  /// A camera kept open for a retry belongs to its own role, not to the new one.
  @Test func `the camera can be changed before the next attempt with the other one`() async throws {
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

  /// Settings that were started without a frame are no fallback.
  @Test func `settings without a frame are no fallback`() async throws {
    var model = SimulatedCameraModel()
    model.capabilities.maximumVideoZoomFactor = 1
    let rig = VirtualSession(cameraModels: [model])
    await rig.wait()
    let before = await rig.session.resolvedSettings.settings
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
    #expect(await rig.session.resolvedSettings.settings == before)
    await rig.stop()
  }
}

extension CaptureSession {
  /// The preference of tasks that go on on the session's queue at once.
  fileprivate var queueTasks: ActorTasks { followers }

  /// Occupies the session's queue.
  fileprivate func hold(
    until end: DispatchSemaphore, telling isHeld: AsyncStream<Void>.Continuation
  ) {
    isHeld.yield()
    end.wait()
  }
}
