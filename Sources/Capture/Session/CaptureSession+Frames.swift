import Devices

/// The processing of a stream's frames.
extension CaptureSession {
  /// Takes a frame's values, and gives the frame to the outputs.
  func frameArrived(_ frame: FrameInfo) async {
    status.frameCount += 1
    status.lastFrameArrival = clock.now
    silenceSince = clock.now
    if status.isStarved { setStarved(false) }
    damagedSinceFrame = 0
    convergence?.add(frame, now: clock.now)
    exposureWish.frameArrived()
    if lastFrame == nil {
      provenSettings = settings
      unprovenFaultCount = 0
    }
    lastFrame = frame
    cameraWorks()
    readinessCoordinator.update { $0.setFramesFlow(true) }
    stateChanged()
    // A frame exposed without the lamp's light is no candidate.
    guard lampSwitch?.counts(frame) ?? true else { return }
    lampSwitch?.frameCounted()
    let reply = photoOutput.frameArrived(frame, now: clock.now)
    status.frameInterval = frame.frameDuration ?? photoOutput.usualInterval
    await carryOut(reply)
  }

  /// Tells the outputs that frames exposed until now show another light.
  func lightChanged() { photoOutput.lightChanged() }

  /// Ends the state of a stream: presses that wait for its frames get none.
  func streamEnded() {
    // A frame of the next stream would show another moment: the page may have been turned.
    let reason = Task.isCancelled ? RefusalReason.sessionNotRunning : .noFrameInTime
    readinessCoordinator.update { $0.streamEnded() }
    perform(photoOutput.streamEnded(reason, now: clock.now))
    lastFrame = nil
    silenceSince = nil
    damagedSinceFrame = 0
    status.isStarved = false
    status.frameInterval = nil
  }
}
