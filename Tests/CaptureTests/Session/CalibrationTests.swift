import Capture
import Devices
import SimulatedDevices
import TestSupport
import Testing

/// "Calibrate and lock", in virtual time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CalibrationTests {
  private let camera = SimulatedCameraModel().id

  private func calibrate(
    _ rig: VirtualSession
  ) async -> Result<CameraCalibration, DeviceError> {
    let session = rig.session
    return await rig.during(sleepers: 1) { () async -> Result<CameraCalibration, DeviceError> in
      do throws(DeviceError) {
        return .success(try await session.calibrate())
      } catch {
        return .failure(error)
      }
    }
  }

  private func failure(_ result: Result<CameraCalibration, DeviceError>) -> DeviceError? {
    if case .failure(let error) = result { error } else { nil }
  }

  @Test func `the values found are fixed, stored and used from the next first frame`()
    async throws
  {
    let shelf = CalibrationShelf()
    let rig = VirtualSession(calibrations: shelf)
    await rig.wait()
    rig.world.expose(for: .milliseconds(8), gain: 3)
    rig.world.illuminate(
      whiteBalanceGains: WhiteBalanceGains(red: 2.2, blue: 1.3), colorTemperature: 3000)
    let found = try await calibrate(rig).get()
    #expect(found.exposureDuration == .milliseconds(8))
    #expect(found.analogueGain == 3)
    #expect(found.whiteBalanceGains == WhiteBalanceGains(red: 2.2, blue: 1.3))
    #expect(found.lensPosition == 2)
    #expect(shelf.contents == [camera: found])
    await rig.wait()
    // The light changes; locked values do not follow.
    rig.world.expose(for: .milliseconds(2), gain: 1)
    let frames = await rig.frames()
    #expect(frames.count > 5)
    #expect(frames.suffix(5).allSatisfy { CameraCalibration($0) == found })
    let status = await rig.session.currentStatus
    #expect(status.calibration == found)
    #expect(status.controls?.isCalibrated == true)
    await rig.stop()

    let next = VirtualSession(calibrations: shelf)
    next.world.expose(for: .milliseconds(2), gain: 1)
    await next.wait()
    await next.pass(.seconds(1))
    let first = try #require(next.world.deliveredFrames().first)
    #expect(CameraCalibration(first) == found)
    #expect(first.sequence == 0, "no frame is lost to automatics that look for something")
    await next.stop()
  }

  @Test func `a reopened stream has its calibration`() async throws {
    let rig = VirtualSession()
    await rig.wait()
    let found = try await calibrate(rig).get()
    rig.world.expose(for: .milliseconds(1), gain: 5)
    rig.world.inject(.absent)
    await rig.wait { $0.session.readiness.reasons.contains(.cameraUnplugged) }
    rig.world.clear(.absent)
    let begin = rig.clock.now
    await rig.wait()
    await rig.pass(.seconds(1))
    let frames = rig.world.deliveredFrames().filter { $0.timestamp > begin }
    #expect(!frames.isEmpty && frames.allSatisfy { CameraCalibration($0) == found })
    await rig.stop()
  }

  @Test func `each camera has its own calibration and a switch brings it back`() async throws {
    var first = SimulatedCameraModel()
    first.id = "first"
    var other = SimulatedCameraModel()
    other.id = "other"
    let shelf = CalibrationShelf([
      "other": CameraCalibration(exposureDuration: .milliseconds(3), analogueGain: 7)
    ])
    let rig = VirtualSession(cameraModels: [first, other], calibrations: shelf) {
      $0.cameras = [.main: .id("first"), CameraRole(rawValue: "desk"): .id("other")]
    }
    await rig.wait()
    let session = rig.session
    let resolved = await rig.during { try? await session.switchCamera() }
    #expect(resolved?.controls?.isCalibrated == true)
    #expect(
      resolved?.controls?.controls.exposureMode
        == .custom(duration: .milliseconds(3), gain: 7))
    await rig.wait()
    await rig.pass(.milliseconds(500))
    let frame = try #require(rig.world.deliveredFrames(camera: "other").first)
    #expect(frame.exposureDuration == .milliseconds(3) && frame.analogueGain == 7)
    let back = await rig.during { try? await session.switchCamera() }
    #expect(back?.controls?.isCalibrated == false)
    await rig.stop()
  }

  @Test func `manual settings take precedence`() async throws {
    let rig = VirtualSession {
      $0.settings.controls.exposureMode = .custom(duration: .milliseconds(5), gain: 2)
      $0.settings.controls.focusMode = .continuousAutoFocus
    }
    await rig.wait()
    let found = try await calibrate(rig).get()
    #expect(found.exposureDuration == nil && found.analogueGain == nil)
    #expect(found.whiteBalanceGains != nil && found.lensPosition == 2)
    let status = await rig.session.currentStatus
    let controls = try #require(status.controls?.controls)
    #expect(controls.exposureMode == .custom(duration: .milliseconds(5), gain: 2))
    #expect(controls.focusMode == .locked(lensPosition: 2), "an automatic gives way")
    await rig.stop()
  }

  @Test func `an unsettled aspect is named and the old state returns`() async throws {
    var model = SimulatedCameraModel()
    model.settlingFrames = 1000
    let shelf = CalibrationShelf()
    let rig = VirtualSession(cameraModels: [model], calibrations: shelf) {
      $0.settings.controls.videoZoomFactor = 2
    }
    await rig.wait()
    let before = await rig.session.currentStatus.controls
    rig.world.illuminate(
      whiteBalanceGains: WhiteBalanceGains(red: 2.2, blue: 1.3), colorTemperature: 3000)
    let begin = rig.clock.now
    let error = try #require(failure(await calibrate(rig)))
    #expect(error.code == .timedOut)
    #expect(error.device == camera)
    #expect(error.cause?.contains("focus") == true, "\(error)")
    #expect(begin.duration(to: rig.clock.now) < .seconds(15))
    #expect(shelf.contents.isEmpty)
    await rig.wait()
    let status = await rig.session.currentStatus
    #expect(status.controls == before && status.calibration == nil)
    let frame = try #require(await rig.frames().last)
    #expect(frame.videoZoomFactor == 2)
    await rig.stop()
  }

  @Test func `a calibration that cannot be stored is not used`() async throws {
    let shelf = CalibrationShelf()
    shelf.breakDown()
    let rig = VirtualSession(calibrations: shelf)
    await rig.wait()
    let error = failure(await calibrate(rig))
    #expect(error?.code == .inputOutput)
    let status = await rig.session.currentStatus
    #expect(status.calibration == nil && status.controls?.isCalibrated == false)
    rig.world.expose(for: .milliseconds(2), gain: 1)
    let isFollowed = await rig.wait(for: .seconds(10)) {
      $0.world.deliveredFrames().last?.exposureDuration == .milliseconds(2)
    }
    #expect(isFollowed, "the automatics run again")
    await rig.stop()
  }

  @Test func `a calibration without a stream is refused`() async throws {
    let rig = VirtualSession(faults: [.absent])
    #expect(failure(await calibrate(rig))?.code == .absent)
    rig.world.clear(.absent)
    await rig.wait()
    await rig.session.stop()
    await rig.wait { await $0.session.currentStatus.stream == nil }
    #expect(failure(await calibrate(rig))?.code == .absent)
    await rig.stop()
  }

  @Test func `a camera without controls to fix is refused`() async throws {
    let rig = VirtualSession(cameraModels: [.withoutControls()])
    await rig.wait()
    #expect(failure(await calibrate(rig))?.code == .unsupported)
    #expect(rig.session.readiness.state == .ready)
    await rig.stop()
  }

  @Test func `a stream that ends meanwhile ends the calibration`() async throws {
    let rig = VirtualSession()
    await rig.wait()
    let session = rig.session
    let world = rig.world
    let calibration = Task { try await session.calibrate() }
    await rig.wait { $0.session.readiness.state == .notReadyMomentarily }
    world.cancelStreams()
    let result = await rig.during(sleepers: 1) { await calibration.result }
    #expect(throws: DeviceError.self) { try result.get() }
    await rig.wait()
    #expect(session.readiness.state == .ready)
    await rig.stop()
  }

  @Test func `a calibration waits for a change and presses are refused meanwhile`()
    async throws
  {
    let rig = VirtualSession()
    await rig.wait()
    let session = rig.session
    let change = Task {
      try await session.configure { $0.preset = .custom(FrameSize(width: 480, height: 270)) }
    }
    let calibration = Task { try await session.calibrate() }
    await rig.wait { $0.session.readiness.state == .notReadyMomentarily }
    let refused = await rig.press()
    // Between the two, the new stream may not have given a frame yet.
    let reasons = [RefusalReason.reconfiguring, .sessionNotRunning]
    #expect(reasons.contains { refused?.outcome == .refused($0) })
    let resolved = try await rig.during { await change.result }.get()
    #expect(resolved.stream?.format.size.width == 480)
    _ = try await rig.during(sleepers: 1) { await calibration.result }.get()
    await rig.wait()
    let taken = await rig.press()
    #expect(taken?.frame != nil)
    await rig.stop()
  }

  @Test func `a deleted calibration leaves all controls to the settings again`() async throws {
    let shelf = CalibrationShelf()
    let rig = VirtualSession(calibrations: shelf)
    await rig.wait()
    _ = try await calibrate(rig).get()
    let session = rig.session
    let isForgotten = await rig.during { (try? await session.forgetCalibration()) != nil }
    #expect(isForgotten && shelf.contents.isEmpty)
    rig.world.expose(for: .milliseconds(2), gain: 1)
    let isFollowed = await rig.wait(for: .seconds(10)) {
      $0.world.deliveredFrames().last?.exposureDuration == .milliseconds(2)
    }
    #expect(isFollowed)
    let status = await session.currentStatus
    #expect(status.calibration == nil && status.controls?.isCalibrated == false)
    await rig.stop()
  }
}
