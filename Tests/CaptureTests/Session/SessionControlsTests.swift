import Devices
import SimulatedDevices
import Testing

@testable import Capture

/// Exposure, white balance, focus, zoom, flicker and noise through `configure`, in virtual time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SessionControlsTests {
  private func configure(
    _ rig: VirtualSession, _ change: @escaping @Sendable (inout SessionSettings) -> Void
  ) async -> Result<ResolvedSessionSettings, ConfigurationFailure> {
    let session = rig.session
    return await rig.during { () async -> Result<ResolvedSessionSettings, ConfigurationFailure> in
      do throws(ConfigurationFailure) {
        return .success(try await session.configure(change))
      } catch {
        return .failure(error)
      }
    }
  }

  private func failure(
    _ result: Result<ResolvedSessionSettings, ConfigurationFailure>
  ) -> ConfigurationFailure? {
    if case .failure(let failure) = result { failure } else { nil }
  }

  @Test func `every control can be set and shows in the frames`() async throws {
    let rig = VirtualSession()
    await rig.wait()
    let starts = await rig.session.currentStatus.streamStartCount
    let resolved = try await configure(rig) {
      $0.controls.exposureMode = .custom(duration: .milliseconds(4), gain: 3)
      $0.controls.whiteBalanceMode = .custom(WhiteBalanceGains(red: 2.5, blue: 1.25))
      $0.controls.focusMode = .locked(lensPosition: 4)
      $0.controls.videoZoomFactor = 2
    }.get()
    #expect(resolved.controls?.controls.videoZoomFactor == 2)
    await rig.pass(.milliseconds(300))
    let fixed = try #require(await rig.frames().last)
    #expect(fixed.exposureDuration == .milliseconds(4) && fixed.analogueGain == 3)
    #expect(fixed.whiteBalanceGains == WhiteBalanceGains(red: 2.5, blue: 1.25))
    #expect(fixed.lensPosition == 4 && fixed.videoZoomFactor == 2)
    let status = await rig.session.currentStatus
    #expect(status.streamStartCount == starts, "nothing was interrupted")
    rig.world.expose(for: .milliseconds(25), gain: 1)
    _ = try await configure(rig) {
      $0.controls = CameraControls(flickerAvoidance: .hertz50)
    }.get()
    await rig.pass(.seconds(1))
    let automatic = try #require(await rig.frames().last)
    #expect(automatic.exposureDuration == .milliseconds(20), "whole periods of the lamps")
    #expect(automatic.videoZoomFactor == 1 && automatic.lensPosition == 2)
    await rig.stop()
  }

  /// Without a limit the press takes its frame while the exposure follows the light.
  @Test(arguments: [(Duration.zero, [CameraAdjustment.exposure]), (.seconds(2), [])])
  func `a press waits for settled automatics as long as configured`(
    limit: Duration, adjusting: [CameraAdjustment]
  ) async throws {
    let rig = VirtualSession(cameraModels: [SimulatedCameraModel(settlingFrames: 20)]) {
      $0.settlingLimit = limit
    }
    await rig.wait()
    rig.world.expose(for: .milliseconds(25), gain: 1)
    await rig.wait { $0.world.deliveredFrames().last?.adjusting == [.exposure] }
    #expect(await rig.press()?.frame?.adjusting == adjusting)
    await rig.stop()
  }

  @Test func `the first frame of the next stream has the new controls`() async throws {
    let rig = VirtualSession()
    await rig.wait()
    _ = try await configure(rig) {
      $0.controls.exposureMode = .custom(duration: .milliseconds(4), gain: 3)
      $0.controls.whiteBalanceMode = .custom(WhiteBalanceGains(red: 2.5, blue: 1.25))
      $0.preset = .custom(FrameSize(width: 480, height: 270))
    }.get()
    await rig.wait()
    let size = await rig.session.currentStatus.stream?.format.size
    #expect(size?.width == 480)
    let first = try #require(await rig.frames().first)
    #expect(first.exposureDuration == .milliseconds(4) && first.analogueGain == 3)
    await rig.stop()
  }

  @Test func `the quality sets the noise reduction and is reported`() async throws {
    let rig = VirtualSession { $0.settings.prioritization = .speed }
    await rig.wait()
    let atStart = await rig.session.currentStatus.controls
    #expect(atStart?.controls.noiseReduction == .minimal)
    let resolved = try await configure(rig) { $0.prioritization = .quality }.get()
    #expect(resolved.controls?.controls.noiseReduction == .highQuality)
    await rig.stop()
    let plain = VirtualSession(cameraModels: [.withoutControls()])
    await plain.wait()
    let none = try await configure(plain) { $0.prioritization = .quality }.get()
    #expect(none.controls?.controls.noiseReduction == nil)
    #expect(none.controls?.notes == ["the camera offers no noise reduction for \"quality\""])
    await plain.stop()
  }

  struct Impossible: Sendable {
    var name: String
    var change: @Sendable (inout SessionSettings) -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout SessionSettings) -> Void) {
      self.name = name
      self.change = change
    }
  }

  static let impossible = [
    Impossible("exposure mode \"custom\"") {
      $0.controls.exposureMode = .custom(duration: .milliseconds(5), gain: 1)
    },
    Impossible("white-balance mode \"locked\"") { $0.controls.whiteBalanceMode = .locked },
    Impossible("focus mode \"autoFocus\"") { $0.controls.focusMode = .autoFocus },
    Impossible("video zoom") { $0.controls.videoZoomFactor = 1.5 },
    Impossible("flicker avoidance \"50\"") { $0.controls.flickerAvoidance = .hertz50 },
    Impossible("noise reduction \"fast\"") { $0.controls.noiseReduction = .fast },
    Impossible("0.0 frames a second") { $0.frameRate = 0 },
    Impossible("0x0") { $0.preset = .custom(FrameSize(width: 0, height: 0)) },
    Impossible("video zoom") {
      $0.preset = .document
      $0.controls.videoZoomFactor = 2
    },
  ]

  @Test func `an unsupported control is refused by name without a change`() async throws {
    let rig = VirtualSession(cameraModels: [.withoutControls()])
    await rig.wait()
    let before = await rig.session.currentStatus
    for example in Self.impossible {
      let failure = try #require(failure(await configure(rig, example.change)))
      #expect(failure.consequence == .refused && failure.error.code == .unsupported)
      #expect(failure.description.contains(example.name), "\(failure)")
    }
    let after = await rig.session.currentStatus
    #expect(after.controls == before.controls && after.streamStartCount == before.streamStartCount)
    let settings = await rig.session.resolvedSettings.settings
    #expect(settings.controls == CameraControls())
    await rig.stop()
  }

  @Test func `the focus is kept until it is configured otherwise`() async throws {
    let rig = VirtualSession()
    await rig.wait()
    let session = rig.session
    let isFocused = await rig.during(sleepers: 1) { (try? await session.focus()) != nil }
    #expect(isFocused)
    let kept = await session.currentStatus.controls?.controls.focusMode
    #expect(kept == .locked(lensPosition: 2))
    let other = try await configure(rig) { $0.prioritization = .speed }.get()
    #expect(other.controls?.controls.focusMode == .locked(lensPosition: 2))
    let changed = try await configure(rig) { $0.controls.focusMode = .continuousAutoFocus }.get()
    #expect(changed.controls?.controls.focusMode == .continuousAutoFocus)
    await rig.stop()
  }

  @Test func `the lens stays where a place in the frame is sharp`() async {
    let rig = VirtualSession()
    await rig.wait()
    let session = rig.session
    rig.world.show(LinearScene(.page, depth: 1))
    let isFocused = await rig.during(sleepers: 1) {
      (try? await session.focus(at: FocusPoint(x: 0.9, y: 0.5))) != nil
    }
    #expect(isFocused)
    let kept = await session.currentStatus.controls?.controls.focusMode
    #expect(kept == .locked(lensPosition: 3))
    await rig.stop()
  }

  @Test(arguments: [false, true])
  func `the focus can be released together with other changes`(needsNewStream: Bool) async throws {
    let rig = VirtualSession()
    await rig.wait()
    let session = rig.session
    let isFocused = await rig.during(sleepers: 1) { (try? await session.focus()) != nil }
    #expect(isFocused)
    let mode = await session.resolvedSettings.settings.controls.focusMode
    let released = await rig.during {
      try? await session.configure(releasesFocus: true) {
        if needsNewStream { $0.frameRate = 25 }
      }
    }
    #expect(released?.controls?.controls.focusMode == mode)
    await rig.stop()
  }

  /// A focus that waits for a missing camera would hold up every change of the session.
  @Test func `focusing ends with the stream`() async {
    let rig = VirtualSession()
    await rig.wait()
    let (session, harness) = (rig.session, rig.harness)
    let events = session.events.listen(limit: 4096)
    let focusing = Task { () -> DeviceError? in
      do throws(DeviceError) {
        try await session.focus()
        return nil
      } catch {
        return error
      }
    }
    // No time passes until the camera is gone, in which the focus could be given up.
    _ = await harness.wait(in: events) { $0.state != .ready }
    harness.world.inject(.absent)
    let failure = await rig.during(sleepers: 1) { await focusing.value }
    #expect(failure?.code == .disconnected)
    rig.world.clear(.absent)
    #expect(await rig.wait())
    await rig.stop()
  }

  @Test func `the configured frame rate returns after the heat`() async throws {
    let rig = VirtualSession()
    await rig.wait()
    await rig.session.apply(CaptureConstraints(maximumFrameRate: 10))
    _ = try await configure(rig) { $0.frameRate = 20 }.get()
    await rig.wait()
    let hot = await rig.session.currentStatus.stream?.frameDuration
    #expect(hot == .seconds(1 / 10.0))
    await rig.session.apply(.none)
    let cool = await rig.session.currentStatus.stream?.frameDuration
    #expect(cool == .seconds(1 / 20.0))
    await rig.stop()
  }
}
