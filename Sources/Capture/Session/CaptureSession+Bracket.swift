import Devices

/// The session's work for brackets: the camera's controls, and the press that begins one.
extension CaptureSession {
  /// Begins the bracket of an admitted press.
  func beginBracket(_ bracket: Bracket, for press: Press, in streamNumber: UInt64) async {
    let number = press.number
    guard let camera, let stream = status.stream else {
      return finish(number, .refused(.noFrameInTime))
    }
    let capabilities = await watched { await camera.capabilities }
    let controls = await controls(for: settings, of: camera).controls
    guard status.isRunning, streamNumber == readinessCoordinator.streamNumber else {
      return finish(number, .refused(.noFrameInTime))
    }
    // Each step may need all its rounds, and no frame is shorter than its exposure.
    let frames = (Int(PendingDuration.framesUnderWay) + bracket.values.count) * bracket.values.count
    let longest = max(longestFrame, bracket.longestExposure)
    outputs.photo.begin(
      bracket, of: number,
      on: BracketCamera(
        controls: controls, capabilities: capabilities, frameDuration: stream.frameDuration,
        leasedFrameCount: stream.leasedFrameCount),
      settlingLimit: configuration.settlingLimit,
      deadline: max(press.time, clock.now).advanced(
        by: frameWait(lit: outputs.photo.wantsLight(.press(number)) ?? true) + longest
          * (frames * BracketMachine.maximumRounds)
          + LampSwitch(policy: configuration.lamp).longestTurn * bracket.lamps.count))
    stateChanged()
  }

  /// Sets the controls of a bracket's frames, or those of the session.
  func apply(_ changes: [PhotoOutput.ControlChange]) async {
    guard let camera, status.stream != nil else { return }
    for change in changes {
      switch change {
      case .session:
        await restore(await controls(for: settings, of: camera).controls, on: camera)
      case .lamp(let name): light(name)
      case .bracket(let controls):
        do throws(DeviceError) {
          try await set(controls, on: camera)
        } catch {
          perform(outputs.photo.bracketFailed(error, now: clock.now))
          guard changes.last == .session else { return }
        }
      }
    }
  }
}
