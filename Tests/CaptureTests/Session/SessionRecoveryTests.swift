import Capture
import Devices
import SimulatedDevices
import TestSupport
import Testing

/// The ladder as the session climbs it, and a technician's means meanwhile.
@Suite(.timeLimit(.minutes(10))) struct SessionRecoveryTests {
  @Test(arguments: [false, true])
  func `a camera that will not start gets a new camera system`(hasStandby: Bool) async throws {
    let models = [SimulatedCameraModel(id: "first"), SimulatedCameraModel(id: "other")]
    let rig = VirtualSession(cameraModels: models) {
      $0.cameras = [.main: .id("first"), CameraRole(rawValue: "desk"): .id("other")]
      $0.recovery.pauses = [.milliseconds(200)]
      if hasStandby { $0.standby = CameraRole(rawValue: "desk") }
    }
    await rig.wait()
    // The end of the stream is the first failure; each rung is tried twice.
    for model in models { rig.world.failNextStarts(4, camera: model.id) }
    rig.world.cancelStreams()
    await rig.wait { !$0.session.readiness.reasons.isEmpty }
    #expect(await rig.wait())
    #expect(rig.harness.cameras.restartCount >= 1)
    let record = await rig.press()
    #expect(record?.frame != nil)
    await rig.stop()
  }

  @Test func `the camera can be released during its recovery`() async throws {
    let rig = VirtualSession { $0.recovery.pauses = [.seconds(30)] }
    await rig.wait()
    let id = try #require(await rig.session.currentStatus.camera?.id)
    rig.world.failNextStarts(100)
    rig.world.cancelStreams()
    await rig.wait { await $0.session.currentStatus.lastRecovery == .restartStream }
    await #expect(throws: DeviceError.self, "the session has it still") {
      _ = try await rig.harness.cameras.open(id)
    }
    await rig.session.stop()
    await rig.pass(.milliseconds(500))
    #expect(await rig.session.currentStatus.camera == nil)
    let other = try await rig.harness.cameras.open(id)
    await other.close()

    let session = rig.session
    let kept = await rig.during { try? await session.configure { $0.frameRate = 20 } }
    #expect(kept?.settings.frameRate == 20, "nothing waits for a stream that nobody wants")
    rig.world.mendFrames()
    await session.resume()
    #expect(await rig.wait())
    #expect(await session.resolvedSettings.settings.frameRate == 20)
    await rig.stop()
  }

  @Test func `an unwanted camera interrupts no session`() async throws {
    let rig = VirtualSession { $0.recovery.externalPauses = [.seconds(30)] }
    await rig.wait()
    rig.world.inject(.absent)
    await rig.wait { $0.session.readiness.reasons.contains(.cameraUnplugged) }
    await rig.session.stop()
    await rig.wait { !$0.session.readiness.reasons.contains(.cameraUnplugged) }
    #expect(rig.session.readiness.reasons.contains(.stoppedByTechnician))
    rig.world.clear(.absent)
    let begin = rig.clock.now
    await rig.session.resume()
    #expect(await rig.wait())
    #expect(begin.duration(to: rig.clock.now) < .seconds(10), "a technician's wish has no pause")
    await rig.stop()
  }

  @Test(arguments: [false, true])
  func `no picture is taken while the lens moves`(isCalibrating: Bool) async throws {
    let rig = VirtualSession()
    await rig.wait()
    let (session, harness) = (rig.session, rig.harness)
    let result = await rig.during(sleepers: 2) { () -> (Bool, PressRecord?) in
      let search = Task {
        if isCalibrating { try await session.calibrate() } else { try await session.focus() }
      }
      _ = await harness.wait { $0.state != .ready }
      let record = try? await harness.press()
      return ((try? await search.value) != nil, record)
    }
    #expect(result.0)
    #expect(result.1?.outcome == .refused(.reconfiguring))
    #expect(await rig.wait())
    await rig.stop()
  }
}
