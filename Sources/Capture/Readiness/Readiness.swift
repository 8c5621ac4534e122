public import Devices

/// Whether a press would be taken now (AVFoundation's `CaptureReadiness`).
public struct Readiness: Sendable, Hashable {
  /// The states, in AVFoundation's words.
  public enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// The session does not run or is interrupted.
    case sessionNotRunning
    /// A press would be taken.
    case ready
    /// The stream has begun but no frame has come yet, or presses are kept apart for a while.
    case notReadyMomentarily
    /// All captures that may be in flight wait for their frames.
    case notReadyWaitingForCapture
    /// All captures that may be in flight are there, and at least one is being encoded or stored.
    case notReadyWaitingForProcessing
  }

  /// The state.
  public var state: State
  /// Why the session is interrupted, the most important first; empty when it is not.
  public var reasons: [InterruptionReason]
  /// What is wrong without refusing a press, the most important first; shown, and nothing else.
  public var warnings: [InterruptionReason]
  /// How many presses have no outcome yet.
  public var capturesInFlight: Int

  /// Makes a readiness.
  public init(
    state: State, reasons: [InterruptionReason], warnings: [InterruptionReason] = [],
    capturesInFlight: Int
  ) {
    self.state = state
    self.reasons = reasons
    self.warnings = warnings
    self.capturesInFlight = capturesInFlight
  }
}

/// The one place where readiness is made, from what the parts of the rig say of themselves.
public struct ReadinessStateMachine: Sendable {
  /// How many captures may be in flight at a time, 1 or more.
  public private(set) var maximumCapturesInFlight: Int
  private var isStarved = false
  private var isRunning = false
  private var framesFlow = false
  private var interruptions: Set<InterruptionReason> = []
  private var isReconfiguring = false
  private var warnings: Set<InterruptionReason> = []
  private var spacing = ShotSpacing()
  private var isSpacing = false
  private var waitingForFrame = 0
  private var processing = 0
  /// The number of the stream whose frames come, or came last; counted from 1.
  public private(set) var streamNumber: UInt64 = 1

  /// Makes the machine of a session that does not run.
  public init(maximumCapturesInFlight: Int) {
    self.maximumCapturesInFlight = max(1, maximumCapturesInFlight)
  }

  /// The session was started or stopped.
  public mutating func setRunning(_ isRunning: Bool) {
    self.isRunning = isRunning
    if !isRunning { framesFlow = false }
  }

  /// Frames began or ceased to come.
  public mutating func setFramesFlow(_ framesFlow: Bool) {
    self.framesFlow = framesFlow
  }

  /// The camera has no buffer left to fill, or has one again.
  public mutating func setStarved(_ isStarved: Bool) {
    self.isStarved = isStarved
  }

  /// A stream has begun that has memory for so many captures at a time, 1 or more.
  public mutating func limitCaptures(to maximum: Int) {
    maximumCapturesInFlight = max(1, maximum)
  }

  /// The stream ended; frames of the next one show another moment.
  public mutating func streamEnded() {
    framesFlow = false
    isStarved = false
    streamNumber += 1
  }

  /// The session's configuration begins to change, or has been changed.
  public mutating func setReconfiguring(_ isReconfiguring: Bool) {
    self.isReconfiguring = isReconfiguring
  }

  /// An interruption begins; returns whether it is new.
  @discardableResult
  public mutating func begin(_ reason: InterruptionReason) -> Bool {
    interruptions.insert(reason).inserted
  }

  /// An interruption ends; returns whether it had begun.
  @discardableResult
  public mutating func end(_ reason: InterruptionReason) -> Bool {
    interruptions.remove(reason) != nil
  }

  /// Takes a press and reserves its place, or says why not.
  ///
  /// The time until the next press counts from this moment, so that of two presses at once only
  /// one is taken while presses are kept apart.
  public mutating func admit(at now: MonotonicInstant) -> Admission {
    advance(to: now)
    if let refusal { return .refused(refusal) }
    waitingForFrame += 1
    spacing.take(at: now)
    advance(to: now)
    return .admitted(streamNumber: streamNumber)
  }

  /// Presses are to be this far apart from now on; `nil` when they need not be.
  public mutating func setShotSpacing(_ duration: Duration?, at now: MonotonicInstant) {
    spacing.spacing = duration
    advance(to: now)
  }

  /// Takes the time: presses that were kept apart may be taken again.
  public mutating func advance(to now: MonotonicInstant) {
    isSpacing = spacing.opening(at: now) != nil
  }

  /// Something begins to be wrong that refuses no press; returns whether it is new.
  @discardableResult
  public mutating func warn(of reason: InterruptionReason) -> Bool {
    warnings.insert(reason).inserted
  }

  /// What refused no press is no longer wrong; returns whether it was.
  @discardableResult
  public mutating func endWarning(of reason: InterruptionReason) -> Bool {
    warnings.remove(reason) != nil
  }

  /// The frame of a capture has been chosen.
  public mutating func frameChosen() {
    waitingForFrame -= 1
    processing += 1
  }

  /// A capture has got its outcome.
  ///
  /// - Parameter hadFrame: whether ``frameChosen()`` was called for it.
  public mutating func captureFinished(hadFrame: Bool) {
    if hadFrame { processing -= 1 } else { waitingForFrame -= 1 }
  }

  /// Captures that wait for their frame.
  public var capturesWaitingForFrame: Int { waitingForFrame }

  /// Why presses are kept apart at this moment; heat is the only cause there is.
  private var pause: InterruptionReason? { isSpacing ? .thermalPressure : nil }

  /// The readiness at the time that was taken last.
  public var readiness: Readiness {
    let reasons = pause.map { interruptions.union([$0]) } ?? interruptions
    return Readiness(
      state: state, reasons: sorted(reasons), warnings: sorted(warnings.subtracting(reasons)),
      capturesInFlight: waitingForFrame + processing)
  }

  private func sorted(_ reasons: Set<InterruptionReason>) -> [InterruptionReason] {
    let known = InterruptionReason.priority.filter(reasons.contains)
    return known + reasons.subtracting(known).sorted { $0.rawValue < $1.rawValue }
  }

  private var state: Readiness.State {
    guard isRunning, interruptions.isEmpty else { return .sessionNotRunning }
    guard framesFlow, !isReconfiguring, pause == nil else { return .notReadyMomentarily }
    guard waitingForFrame + processing >= maximumCapturesInFlight else {
      // The nearest frame of a camera that is starved may lie far away.
      return isStarved ? .notReadyMomentarily : .ready
    }
    return processing > 0 ? .notReadyWaitingForProcessing : .notReadyWaitingForCapture
  }

  /// Why a press would be refused now; `nil` when it would be taken.
  public var refusal: RefusalReason? {
    let readiness = readiness
    switch readiness.state {
    case .ready: return nil
    case .sessionNotRunning:
      return readiness.reasons.first.map { RefusalReason($0) } ?? .sessionNotRunning
    case .notReadyMomentarily:
      if let pause { return RefusalReason(pause) }
      if isStarved, framesFlow, !isReconfiguring { return RefusalReason(.buffersExhausted) }
      return isReconfiguring ? .reconfiguring : .sessionNotRunning
    case .notReadyWaitingForCapture, .notReadyWaitingForProcessing:
      return .tooManyCapturesInFlight
    }
  }
}
