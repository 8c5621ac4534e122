import Capture
import Devices
import SimulatedDevices
import TestSupport
import Testing

/// A second camera that takes over, and the changes that are possible meanwhile.
@Suite(.timeLimit(.minutes(10))) struct StandbyTests {
  private let desk = CameraRole(rawValue: "desk")

  private func rig(
    _ change: (inout CaptureSessionConfiguration) -> Void = { _ in }
  ) -> VirtualSession {
    var other = SimulatedCameraModel(id: "other")
    other.capabilities.maximumVideoZoomFactor = 1
    let models = [SimulatedCameraModel(id: "first"), other]
    return VirtualSession(cameraModels: models) {
      $0.cameras = [.main: .id("first"), desk: .id("other")]
      $0.standby = desk
      $0.settings.controls.videoZoomFactor = 2
      change(&$0)
    }
  }

  /// Returns the reason for which a change is refused or rolled back; `nil` for success.
  private func failure(
    _ rig: VirtualSession,
    of change: @escaping @Sendable (CaptureSession) async throws(ConfigurationFailure) -> Void
  ) async -> ConfigurationFailure? {
    await rig.during { [session = rig.session] in
      do throws(ConfigurationFailure) {
        try await change(session)
        return nil
      } catch {
        return error
      }
    }
  }

  private func loseTheFirst(_ rig: VirtualSession) async {
    await rig.wait()
    rig.world.inject(.absent, camera: "first")
    await rig.wait { await $0.session.currentStatus.isStandbyInUse }
    await rig.wait()
  }

  @Test func `settings of the standby are changed without opening the lost camera`() async throws {
    let rig = rig()
    await loseTheFirst(rig)
    let session = rig.session
    let changed = await rig.during {
      try? await session.configure { $0.preset = .custom(FrameSize(width: 480, height: 270)) }
    }
    #expect(changed?.camera?.id == "other")
    #expect(changed?.stream?.format.size.width == 480)
    let prioritized = await rig.during {
      try? await session.configure { $0.prioritization = .speed }
    }
    #expect(prioritized?.settings.prioritization == .speed)
    let status = await session.currentStatus
    #expect(status.isStandbyInUse)
    #expect(prioritized?.settings.camera == .main, "the wanted camera stays the wanted one")
    await rig.stop()
  }

  @Test func `a setting that the standby lacks is refused`() async throws {
    let rig = rig()
    await loseTheFirst(rig)
    let failure = await failure(rig) { session throws(ConfigurationFailure) in
      try await session.configure { $0.controls.videoZoomFactor = 3 }
    }
    #expect(failure?.consequence == .refused)
    #expect(failure?.error.code == .unsupported)
    await rig.stop()
  }

  @Test func `the first camera stands by for a chosen standby`() async throws {
    let rig = rig { $0.settings.controls.videoZoomFactor = 1 }
    await rig.wait()
    let session = rig.session
    let desk = desk
    let chosen = await rig.during { try? await session.configure { $0.camera = desk } }
    #expect(chosen?.camera?.id == "other")
    rig.world.inject(.absent, camera: "other")
    await rig.wait { await $0.session.currentStatus.camera?.id == "first" }
    #expect(await rig.wait())
    #expect(await session.resolvedSettings.settings.camera == desk, "what is wanted stays")
    #expect(await session.currentStatus.isStandbyInUse)
    await rig.stop()
  }

  @Test func `a camera without frames is not switched to`() async throws {
    let rig = rig { $0.settings.controls.videoZoomFactor = 1 }
    await rig.wait()
    rig.world.inject(.stalled, camera: "other")
    let session = rig.session
    let failure = await failure(rig) { session throws(ConfigurationFailure) in
      try await session.switchCamera()
    }
    #expect(failure?.consequence == .rolledBack)
    #expect(failure?.error.code == .timedOut)
    #expect(await rig.wait())
    let status = await session.currentStatus
    #expect(status.camera?.id == "first")
    #expect(!status.isStandbyInUse)
    #expect(await session.resolvedSettings.settings.camera == .main)
    let record = await rig.press()
    #expect(record?.frame != nil)
    await rig.stop()
  }

  @Test func `a change without frames is rolled back`() async throws {
    let rig = rig { $0.settings.controls.videoZoomFactor = 1 }
    await rig.wait()
    let session = rig.session
    let before = await session.resolvedSettings.settings
    rig.world.inject(.stalled, camera: "first")
    let failure = await failure(rig) { session throws(ConfigurationFailure) in
      try await session.configure { $0.preset = .custom(FrameSize(width: 480, height: 270)) }
    }
    #expect(failure?.consequence == .rolledBack)
    #expect(await session.resolvedSettings.settings == before)
    rig.world.clear(.stalled, camera: "first")
    #expect(await rig.wait())
    #expect(await session.currentStatus.stream?.format.size.width == 320)
    await rig.stop()
  }

  /// A change without a frame is not kept: there would be no way back from it.
  @Test func `a stop does not wait for a first frame and rolls the change back`() async throws {
    let rig = rig { $0.settings.controls.videoZoomFactor = 1 }
    await rig.wait()
    rig.world.inject(.stalled, camera: "other")
    let session = rig.session
    let desk = desk
    let change = Task { () -> ConfigurationFailure? in
      do throws(ConfigurationFailure) {
        try await session.switchCamera()
        return nil
      } catch {
        return error
      }
    }
    #expect(await rig.wait { await $0.session.currentStatus.cameraRole == desk })
    let stopped = rig.clock.now
    await session.stop()
    #expect(await rig.wait { await $0.session.currentStatus.stream == nil })
    #expect(stopped.duration(to: rig.clock.now) < .milliseconds(500))
    #expect(await change.value?.consequence == .interrupted)
    #expect(await session.resolvedSettings.settings.camera == .main)
    await session.resume()
    #expect(await rig.wait())
    #expect(await session.currentStatus.camera?.id == "first")
    await rig.stop()
  }

  @Test func `choosing the wanted camera returns to it`() async throws {
    let rig = rig()
    await loseTheFirst(rig)
    rig.world.clear(.absent, camera: "first")
    let session = rig.session
    let back = await rig.during { try? await session.configure(camera: .main) }
    #expect(back?.camera?.id == "first")
    #expect(await !session.currentStatus.isStandbyInUse)
    let switched = await rig.during { try? await session.switchCamera() }
    #expect(switched == nil, "the other camera has no zoom")
    await rig.stop()
  }
}
