import Capture
import Devices
import SimulatedDevices
import Testing

/// A second camera that takes over, and what can be changed while it does.
@Suite(.timeLimit(.minutes(2))) struct StandbyTests {
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

  private func loseTheFirst(_ rig: VirtualSession) async {
    await rig.wait()
    rig.world.inject(.absent, camera: "first")
    await rig.wait { await $0.session.currentStatus.isStandbyInUse }
    await rig.wait()
  }

  @Test func settingsOfTheStandbyAreChangedWithoutOpeningTheLostCamera() async throws {
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

  @Test func whatTheStandbyCannotDoIsRefusedWhenItIsAskedForAnew() async throws {
    let rig = rig()
    await loseTheFirst(rig)
    let session = rig.session
    let failure = await rig.during { () -> ConfigurationFailure? in
      do throws(ConfigurationFailure) {
        try await session.configure { $0.controls.videoZoomFactor = 3 }
        return nil
      } catch {
        return error
      }
    }
    #expect(failure?.consequence == .refused)
    #expect(failure?.error.code == .unsupported)
    await rig.stop()
  }

  @Test func theWantedCameraIsNamedToGoBackToIt() async throws {
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
