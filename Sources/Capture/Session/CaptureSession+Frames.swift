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
    let isDark = lampSwitch?.counts(frame, lit: false) ?? false
    if isLit { lampSwitch?.frameCounted() }
    if isDark { lampSwitch?.frameCounted(lit: false) }
    if isDark { meter(frame) }
    noteStepLight(frame)
    let reply = outputs.take(.frame(frame, isLit: isLit, isDark: isDark), now: clock.now)
    if isLit || isDark {
      status.frameInterval = frame.frameDuration ?? outputs.photo.usualInterval
    }
    await carryOut(reply)
  }

  /// Measures the light of a frame that was exposed without the lamp.
  ///
  /// While the lamp fails, the light is not known, and the frames of a bracket do not show it.
  private func meter(_ frame: FrameInfo) {
    guard lampSwitch?.isFailed == false, outputs.photo.bracket == nil else { return }
    // Versions of libcamera before 0.5 report a fixed exposure as a converged one.
    if status.controls?.controls.fixes(.exposure) == true {
      lightMeter.reset()
    } else {
      lightMeter.add(frame)
    }
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
    lightMeter.reset()
    status.isStarved = false
    status.frameInterval = nil
  }
}
