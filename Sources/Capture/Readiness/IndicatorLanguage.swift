package import Devices

/// The meaning of the lights.
///
/// Each pattern is a row of ``table``. A light that says that presses are taken has a heartbeat
/// (``IndicatorSignal``): it goes dark by itself within three seconds when the service hangs or
/// dies.
package enum IndicatorLanguage {
  /// The activity that the upload light shows.
  package enum UploadActivity: Sendable, Hashable, CaseIterable {
    /// No upload is waiting.
    case idle
    /// Pictures wait for their turn or are being uploaded.
    case active
    /// The target refused or did not answer; the uploader waits before a retry.
    case waitingToRetry
    /// A technician has paused the uploads.
    case paused
  }

  /// The condition that decides what the lights show.
  package struct Condition: Sendable, Hashable {
    /// The readiness: whether a press would be taken, and why not.
    package var readiness: Readiness
    /// The faults that do not interrupt captures.
    package var faults: Set<InterruptionReason>
    /// The activity of the uploads.
    package var upload: UploadActivity
    /// Whether the machine powers off soon unless that is canceled.
    package var isPowerOffArmed: Bool
    /// Whether a press has just been refused; an interruption takes precedence.
    package var hasRefused: Bool
    /// Whether a page that was turned gets its picture soon, without a press.
    package var isCountingDown: Bool
    /// The warning about the last picture; faults and a refused press take precedence.
    package var pageWarning: PageWarning?
    /// Whether frames of a recording are written.
    package var isRecording: Bool

    package init(
      readiness: Readiness, faults: Set<InterruptionReason> = [], upload: UploadActivity = .idle,
      isPowerOffArmed: Bool = false, hasRefused: Bool = false, isCountingDown: Bool = false,
      pageWarning: PageWarning? = nil, isRecording: Bool = false
    ) {
      self.readiness = readiness
      self.faults = faults
      self.upload = upload
      self.isPowerOffArmed = isPowerOffArmed
      self.hasRefused = hasRefused
      self.isCountingDown = isCountingDown
      self.pageWarning = pageWarning
      self.isRecording = isRecording
    }

    /// Whether the lights show that a press has been refused.
    var showsRefusal: Bool { hasRefused && readiness.reasons.isEmpty }

    /// The most important fault.
    var trouble: InterruptionReason? {
      if let reason = readiness.reasons.first ?? readiness.warnings.first { return reason }
      return InterruptionReason.allCases.first(where: faults.contains)
    }
  }

  /// Returns the signal of a light in a condition.
  package static func signal(of light: IndicatorRole, in condition: Condition) -> IndicatorSignal {
    if condition.isPowerOffArmed { return IndicatorSignal(armed) }
    switch light {
    case .ready: return ready(condition)
    case .fault: return IndicatorSignal(fault(condition))
    case .upload: return IndicatorSignal(upload(condition.upload))
    case .power: return IndicatorSignal(vouching: condition.isRecording ? recording : .on)
    case .single: return single(condition)
    }
  }

  // MARK: patterns

  /// All lights together, evenly: the machine powers off soon.
  package static let armed = IndicatorPattern.blink(on: .milliseconds(500), off: .milliseconds(500))
  /// A press has been refused.
  static let refused = IndicatorPattern.blink(on: .milliseconds(100), off: .milliseconds(100))
  /// The time for which the lights show that a press has been refused.
  package static let refusalTime = Duration.seconds(1)
  /// A picture is on its way to the disk.
  static let busy = IndicatorPattern.blink(on: .milliseconds(60), off: .milliseconds(60))
  /// A page that was turned gets its picture soon, without a press.
  static let countdown = IndicatorPattern.blink(on: .milliseconds(400), off: .milliseconds(100))
  /// A technician has paused the uploads.
  static let paused = IndicatorPattern.blink(on: .milliseconds(100), off: .milliseconds(2900))

  /// Frames of a recording are written.
  static let recording = IndicatorPattern.blink(on: .milliseconds(900), off: .milliseconds(100))

  private static func ready(_ condition: Condition) -> IndicatorSignal {
    let readiness = condition.readiness
    // Heat lets pictures that are in the making go on.
    let isInterrupted = readiness.reasons.contains { $0 != .thermalPressure }
    if readiness.state == .sessionNotRunning || isInterrupted || condition.showsRefusal {
      return IndicatorSignal(.off)
    }
    if readiness.capturesInFlight > 0 { return IndicatorSignal(vouching: busy) }
    guard readiness.state == .ready else { return IndicatorSignal(.off) }
    return IndicatorSignal(vouching: condition.isCountingDown ? countdown : .on)
  }

  private static func fault(_ condition: Condition) -> IndicatorPattern {
    if condition.showsRefusal { return refused }
    if let trouble = condition.trouble { return trouble.facts.code.pattern }
    return condition.pageWarning?.pattern ?? .off
  }

  private static func upload(_ activity: UploadActivity) -> IndicatorPattern {
    switch activity {
    case .idle: .off
    case .active: .on
    case .waitingToRetry: .flashes(2)
    case .paused: paused
    }
  }

  /// Returns the single light's signal.
  ///
  /// The order of precedence is: an interruption, a refused press, a picture that is being stored,
  /// a countdown, other faults, a warning about the last picture, paused or failing uploads, a
  /// recording, ready.
  private static func single(_ condition: Condition) -> IndicatorSignal {
    let readiness = condition.readiness
    if let reason = readiness.reasons.first { return IndicatorSignal(reason.facts.code.pattern) }
    let ready = ready(condition)
    guard ready.pattern == .on else { return ready }
    if let fault = condition.trouble {
      return IndicatorSignal(vouching: fault.facts.code.inversePattern)
    }
    if let warning = condition.pageWarning {
      return IndicatorSignal(vouching: warning.inversePattern)
    }
    switch condition.upload {
    case .waitingToRetry: return IndicatorSignal(vouching: uploadCode.inversePattern)
    case .paused: return IndicatorSignal(vouching: pausedCode.inversePattern)
    case .idle, .active:
      return condition.isRecording ? IndicatorSignal(vouching: recording) : ready
    }
  }
}
