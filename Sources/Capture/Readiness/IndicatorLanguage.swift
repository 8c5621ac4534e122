public import Devices

/// What the lights say.
///
/// All of it is in ``table``; what is shown is looked up there, so that the table is what the lights
/// do. A light that says that presses are taken has a heartbeat (``IndicatorSignal``): it goes dark
/// by itself within three seconds when the service hangs or dies.
public enum IndicatorLanguage {
  /// What the upload light has to show.
  public enum UploadActivity: Sendable, Hashable, CaseIterable {
    /// Nothing waits.
    case idle
    /// Pictures wait for their turn or are being uploaded.
    case active
    /// The target refused or did not answer; the uploader waits before it tries again.
    case waitingToRetry
    /// A technician holds the uploads back.
    case paused
  }

  /// All that decides what the lights show.
  public struct Condition: Sendable, Hashable {
    /// Whether a press would be taken, and why not.
    public var readiness: Readiness
    /// What is wrong while captures go on.
    public var faults: Set<InterruptionReason>
    /// What the uploads do.
    public var upload: UploadActivity
    /// Whether the power goes off soon unless that is called off.
    public var isPowerOffArmed: Bool
    /// Whether a press has been refused a moment ago; an interruption says more, and goes before.
    public var hasRefused: Bool

    /// Makes a condition.
    public init(
      readiness: Readiness, faults: Set<InterruptionReason> = [], upload: UploadActivity = .idle,
      isPowerOffArmed: Bool = false, hasRefused: Bool = false
    ) {
      self.readiness = readiness
      self.faults = faults
      self.upload = upload
      self.isPowerOffArmed = isPowerOffArmed
      self.hasRefused = hasRefused
    }

    /// Whether the lights say that a press has been refused.
    var showsRefusal: Bool { hasRefused && readiness.reasons.isEmpty }

    /// The most important thing that is wrong.
    var trouble: InterruptionReason? {
      if let reason = readiness.reasons.first ?? readiness.warnings.first { return reason }
      let others = faults.subtracting(InterruptionReason.ofRig).sorted { $0.rawValue < $1.rawValue }
      return (others + InterruptionReason.ofRig.filter(faults.contains)).first
    }
  }

  /// What a light shows in a condition.
  public static func signal(of light: IndicatorRole, in condition: Condition) -> IndicatorSignal {
    if condition.isPowerOffArmed { return IndicatorSignal(armed) }
    switch light {
    case .ready: return ready(condition)
    case .fault: return IndicatorSignal(fault(condition))
    case .upload: return IndicatorSignal(upload(condition.upload))
    case .power: return IndicatorSignal(vouching: .on)
    case .single: return single(condition)
    }
  }

  /// The code of a reason; ``otherCode`` for one that the table does not know.
  public static func code(of reason: InterruptionReason) -> BlinkCode {
    codes.first { $0.reason == reason }?.code ?? otherCode
  }

  // MARK: patterns

  /// All lights, evenly and together: the power goes off soon.
  public static let armed = IndicatorPattern.blink(on: .milliseconds(500), off: .milliseconds(500))
  /// A press has been refused.
  static let refused = IndicatorPattern.blink(on: .milliseconds(100), off: .milliseconds(100))
  /// A picture is on its way to the disk.
  static let busy = IndicatorPattern.blink(on: .milliseconds(60), off: .milliseconds(60))
  /// A technician holds the uploads back.
  static let paused = IndicatorPattern.blink(on: .milliseconds(100), off: .milliseconds(2900))

  private static func ready(_ condition: Condition) -> IndicatorSignal {
    let readiness = condition.readiness
    if readiness.state == .sessionNotRunning || condition.showsRefusal {
      return IndicatorSignal(.off)
    }
    if readiness.capturesInFlight > 0 { return IndicatorSignal(vouching: busy) }
    return readiness.state == .ready ? IndicatorSignal(vouching: .on) : IndicatorSignal(.off)
  }

  private static func fault(_ condition: Condition) -> IndicatorPattern {
    if condition.showsRefusal { return refused }
    return condition.trouble.map { code(of: $0).pattern } ?? .off
  }

  private static func upload(_ activity: UploadActivity) -> IndicatorPattern {
    switch activity {
    case .idle: .off
    case .active: .on
    case .waitingToRetry: .flashes(2)
    case .paused: paused
    }
  }

  /// What refuses presses, then a press that was refused, then the picture on its way, then what is
  /// wrong besides, then ready.
  private static func single(_ condition: Condition) -> IndicatorSignal {
    let readiness = condition.readiness
    if let reason = readiness.reasons.first { return IndicatorSignal(code(of: reason).pattern) }
    let ready = ready(condition)
    guard ready.pattern == .on else { return ready }
    if let fault = condition.trouble {
      return IndicatorSignal(vouching: code(of: fault).inversePattern)
    }
    switch condition.upload {
    case .waitingToRetry: return IndicatorSignal(vouching: uploadCode.inversePattern)
    case .paused: return IndicatorSignal(vouching: pausedCode.inversePattern)
    case .idle, .active: return ready
    }
  }
}
