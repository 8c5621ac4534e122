import Devices

/// The processing of a stream's frames.
extension CaptureSession {
  /// Takes a frame's values, and gives the frame to the presses that it was chosen for.
  func frameArrived(_ frame: FrameInfo) async {
    status.frameCount += 1
    status.lastFrameArrival = clock.now
    if status.isStarved { setStarved(false) }
    damagedSinceFrame = 0
    lastFrameInfo = frame
    convergence?.add(frame, now: clock.now)
    lastFrameDuration = frame.frameDuration ?? .zero
    lastExposure = frame.exposureDuration ?? .zero
    exposureWish.frameArrived()
    if lastSequence == nil {
      provenSettings = settings
      unprovenFaultCount = 0
    }
    lastSequence = frame.sequence
    cameraWorks()
    readinessCoordinator.update { $0.setFramesFlow(true) }
    // A frame exposed without the lamp's light is no candidate.
    guard lampSwitch?.counts(frame) ?? true else { return }
    lampSwitch?.frameCounted()
    let settlement = captures.selector.frame(frame)
    status.frameInterval = frame.frameDuration ?? captures.selector.usualInterval
    for selection in settlement.missed { miss(selection) }
    for selection in settlement.chosen { await take(selection) }
  }

  /// Ends the state of a stream: presses that wait for its frames get none.
  func streamEnded() {
    // A frame of the next stream would show another moment: the page may have been turned.
    let reason = Task.isCancelled ? RefusalReason.sessionNotRunning : .noFrameInTime
    readinessCoordinator.update { $0.streamEnded() }
    for number in captures.selector.abandonAll() { abandon(number, reason) }
    captures.selector.streamEnded()
    lastSequence = nil
    lastFrameDuration = .zero
    lastExposure = .zero
    lastFrameInfo = nil
    damagedSinceFrame = 0
    status.isStarved = false
    status.frameInterval = nil
  }
}
