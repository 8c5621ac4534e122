import Devices

/// The work that only the time causes, done at its deadlines.
///
/// Everything else is done by the event that causes it. Events call ``stateChanged()``, which wakes
/// these loops only if a deadline has come nearer.
extension CaptureSession {
  /// Does what is due at each deadline until the task is canceled.
  func keepDeadlines() async {
    while !Task.isCancelled {
      let now = clock.now
      deadlinesKeptUntil = now
      perform(outputs.take(.timePassed, now: now).actions)
      if let callDeadline, callDeadline <= now { interruptCamera(.cameraStalled, cause: nil) }
      readinessCoordinator.update { $0.advance(to: now) }
      await deadlineTimer.sleep(until: nextDeadline(after: now))
    }
  }

  /// Switches the lamps as needed now, and wakes whoever waits for a change or for a later deadline.
  func stateChanged() {
    announceMovie()
    refreshLamp()
    retryStepLamp()
    // A deadline that has just passed is still to be kept.
    deadlineTimer.wake(before: nextDeadline(after: deadlinesKeptUntil))
    streamTimer.wake(before: stallDeadline(after: clock.now))
    changeTimer.wake()
  }

  /// Returns the earliest deadline of a waiting press, a camera call, the spacing and the lamps.
  private func nextDeadline(after now: MonotonicInstant) -> MonotonicInstant? {
    // Each frame asks for it: no array is made.
    var earliest: MonotonicInstant?
    func consider(_ deadline: MonotonicInstant?) {
      guard let deadline, deadline > now else { return }
      earliest = min(earliest ?? deadline, deadline)
    }
    consider(outputs.nextDeadline)
    consider(callDeadline)
    consider(readinessCoordinator.nextChange(after: now))
    consider(lampSwitch?.nextDeadline(after: now))
    consider(stepLampRetry)
    return earliest
  }

  // MARK: Calls of the camera

  /// The time after which a call of the camera counts as hung now.
  ///
  /// It is the camera system's timeout and a frame.
  package var longestCameraCall: Duration { cameras.longestCall + longestFrame }

  /// Whether a camera call exceeds ``longestCameraCall``, so that only a new process helps.
  package var isStuck: Bool {
    guard let callDeadline else { return false }
    return callDeadline <= clock.now
  }

  /// The time at which the oldest unreturned call exceeds ``longestCameraCall``.
  private var callDeadline: MonotonicInstant? {
    cameraCalls.oldestBeginning?.advanced(by: longestCameraCall + .nanoseconds(1))
  }
}
