package import Devices

/// Whether a press would be taken now, and the reasons.
package struct Readiness: Sendable, Hashable {
  /// The state.
  package var state: CaptureReadiness
  /// The reasons of the interruptions, the most important first; empty when there are none.
  package var reasons: [InterruptionReason]
  /// The faults that refuse no press, the most important first; for display only.
  package var warnings: [InterruptionReason]
  /// The number of presses without an outcome.
  package var capturesInFlight: Int

  package init(
    state: CaptureReadiness, reasons: [InterruptionReason], warnings: [InterruptionReason] = [],
    capturesInFlight: Int
  ) {
    self.state = state
    self.reasons = reasons
    self.warnings = warnings
    self.capturesInFlight = capturesInFlight
  }
}

/// Derives the readiness from the states that the parts of the rig report.
package struct ReadinessStateMachine: Sendable {
  /// The maximum number of captures in flight, 1 or more.
  package private(set) var maximumCapturesInFlight: Int
  private var isStarved = false
  private var isRunning = false
  private var framesFlow = false
  /// The interruptions and warnings, the lasting and the ended ones.
  package private(set) var interruptions = InterruptionLog()
  private var isReconfiguring = false
  /// Whether a bracket changes the camera's controls.
  package private(set) var isBracketing = false
  private var spacing = ShotSpacing()
  private var isSpacing = false
  private var waitingForFrame = 0
  private var processing = 0
  /// The number of the current or last stream, counted from 1.
  package private(set) var streamNumber: UInt64 = 1

  /// Makes the machine of a session that does not run.
  package init(maximumCapturesInFlight: Int) {
    self.maximumCapturesInFlight = max(1, maximumCapturesInFlight)
  }

  /// Notes that the session was started or stopped.
  package mutating func setRunning(_ isRunning: Bool) {
    self.isRunning = isRunning
    if !isRunning { framesFlow = false }
  }

  /// Notes that frames have begun or ceased to come.
  package mutating func setFramesFlow(_ framesFlow: Bool) {
    self.framesFlow = framesFlow
  }

  /// Notes that the camera has no buffer left to fill, or has one again.
  package mutating func setStarved(_ isStarved: Bool) {
    self.isStarved = isStarved
  }

  /// Notes that a stream with memory for `maximum` captures at a time, 1 or more, has begun.
  package mutating func limitCaptures(to maximum: Int) {
    maximumCapturesInFlight = max(1, maximum)
  }

  /// Notes that the stream has ended; frames of the next one show another moment.
  package mutating func streamEnded() {
    framesFlow = false
    isStarved = false
    streamNumber += 1
  }

  /// Notes that the session's configuration begins to change, or has been changed.
  package mutating func setReconfiguring(_ isReconfiguring: Bool) {
    self.isReconfiguring = isReconfiguring
  }

  /// Notes that the camera's controls are the session's again after a bracket.
  package mutating func endBracket() {
    isBracketing = false
  }

  /// Begins an interruption, or a warning, which refuses no press.
  ///
  /// - Returns: the interruption when it is new.
  package mutating func begin(
    _ reason: InterruptionReason, cause: String? = nil, refuses: Bool = true,
    at now: MonotonicInstant
  ) -> Interruption? {
    interruptions.begin(reason, cause: cause, refuses: refuses, at: now)
  }

  /// Ends an interruption or a warning.
  ///
  /// - Returns: the interruption when it lasted.
  package mutating func end(
    _ reason: InterruptionReason, refuses: Bool = true, at now: MonotonicInstant
  ) -> Interruption? {
    interruptions.end(reason, refuses: refuses, at: now)
  }

  /// Takes a press and reserves its place, or returns the reason to refuse it.
  ///
  /// The time until the next press counts from this moment, so that only one of two simultaneous
  /// presses is taken while presses are spaced.
  ///
  /// - Parameters:
  ///   - now: the time of the decision.
  ///   - isBracket: whether the press is for a bracket, until whose end no press is taken.
  package mutating func admit(at now: MonotonicInstant, isBracket: Bool = false) -> Admission {
    advance(to: now)
    if let refusal { return .refused(refusal) }
    if isBracket { isBracketing = true }
    waitingForFrame += 1
    spacing.take(at: now)
    advance(to: now)
    return .admitted(streamNumber: streamNumber)
  }

  /// Sets the minimum time between presses from now on; `nil` for none.
  package mutating func setShotSpacing(_ duration: Duration?, at now: MonotonicInstant) {
    spacing.spacing = duration
    advance(to: now)
  }

  /// Takes the time; when the spacing is over, presses may be taken again.
  package mutating func advance(to now: MonotonicInstant) {
    isSpacing = spacing.opening(at: now) != nil
  }

  /// Returns the next time that alone changes the readiness; `nil` when there is none.
  package func nextChange(after now: MonotonicInstant) -> MonotonicInstant? {
    spacing.opening(at: now)
  }

  /// Notes that the frame of a capture has been chosen.
  package mutating func frameChosen() {
    waitingForFrame -= 1
    processing += 1
  }

  /// Notes that a capture has its outcome.
  ///
  /// - Parameter hadFrame: whether ``frameChosen()`` was called for the capture.
  package mutating func captureFinished(hadFrame: Bool) {
    if hadFrame { processing -= 1 } else { waitingForFrame -= 1 }
  }

  /// The number of captures that wait for their frame.
  package var capturesWaitingForFrame: Int { waitingForFrame }

  /// The reason that presses are spaced now; heat is the only one.
  private var pause: InterruptionReason? { isSpacing ? .thermalPressure : nil }

  /// The readiness at the time that was taken last.
  package var readiness: Readiness {
    let reasons = interruptions.lastingReasons(refusing: true).union(pause.map { [$0] } ?? [])
    let warnings = interruptions.lastingReasons(refusing: false)
    return Readiness(
      state: state, reasons: sorted(reasons), warnings: sorted(warnings.subtracting(reasons)),
      capturesInFlight: waitingForFrame + processing)
  }

  private func sorted(_ reasons: Set<InterruptionReason>) -> [InterruptionReason] {
    InterruptionReason.allCases.filter(reasons.contains)
  }

  private var state: CaptureReadiness {
    let interrupting = interruptions.lastingReasons(refusing: true)
    guard isRunning, !interrupting.contains(.stoppedByTechnician) else { return .sessionNotRunning }
    guard interrupting.isEmpty, framesFlow, !isReconfiguring, pause == nil else {
      return .notReadyMomentarily
    }
    guard !isBracketing else { return .notReadyWaitingForCapture }
    guard waitingForFrame + processing >= maximumCapturesInFlight else {
      // The nearest frame of a starved camera may be far away.
      return isStarved ? .notReadyMomentarily : .ready
    }
    return processing > 0 ? .notReadyWaitingForProcessing : .notReadyWaitingForCapture
  }

  /// The reason that a press would be refused now; `nil` when it would be taken.
  package var refusal: RefusalReason? {
    let readiness = readiness
    if let reason = readiness.reasons.first { return RefusalReason(reason) }
    switch readiness.state {
    case .ready: return nil
    case .sessionNotRunning: return .sessionNotRunning
    case .notReadyMomentarily:
      if isStarved, framesFlow, !isReconfiguring { return RefusalReason(.buffersExhausted) }
      return isReconfiguring ? .reconfiguring : .sessionNotRunning
    case .notReadyWaitingForCapture, .notReadyWaitingForProcessing:
      return isBracketing ? .bracketInProgress : .tooManyCapturesInFlight
    }
  }
}
