import Devices

/// The processing of a stream's frames.
extension CaptureSession {
  /// Takes a frame's values, and gives the frame to the outputs.
  func frameArrived(_ frame: FrameInfo) async {
    status.frameCount += 1
    status.lastFrameArrival = clock.now
    let isFirst = stallDetector.lastFrame == nil
    stallDetector.frameArrived(frame, at: clock.now)
    if status.isStarved { setStarved(false) }
    convergence?.add(frame, now: clock.now)
    if isFirst {
      provenSettings = settings
      unprovenFaultCount = 0
    }
    cameraWorks()
    readinessCoordinator.update { $0.setFramesFlow(true) }
    stateChanged()
    let isLit = lampSwitch?.counts(frame) ?? true
    if isLit { lampSwitch?.frameCounted() }
    let reply = outputs.take(.frame(frame, isLit: isLit), now: clock.now)
    // A frame exposed without the lamp's light is no candidate.
    guard isLit else { return }
    status.frameInterval = frame.frameDuration ?? outputs.photo.usualInterval
    await carryOut(reply)
  }

  /// Tells the outputs that frames exposed until now show another light.
  func lightChanged() { outputs.take(.lightChanged, now: clock.now) }

  /// Ends the state of a stream: presses that wait for its frames get none.
  func streamEnded() {
    // A frame of the next stream would show another moment: the page may have been turned.
    let reason = Task.isCancelled ? RefusalReason.sessionNotRunning : .noFrameInTime
    readinessCoordinator.update { $0.streamEnded() }
    perform(outputs.take(.ended(reason), now: clock.now).actions)
    stallDetector.streamEnded()
    status.isStarved = false
    status.frameInterval = nil
  }
}
