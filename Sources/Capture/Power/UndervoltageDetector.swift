public import Devices

/// Decides from the firmware's flickering flag whether the supply is too weak.
///
/// Undervoltage begins with the second reading in a row that shows it, and ends when none has shown
/// it for a time. A reading that fails shows nothing, so that a sensor that is gone does not keep
/// the rig in trouble for ever.
public struct UndervoltageDetector: Sendable {
  /// How many readings in a row begin it.
  public static let readingsToBegin = 2

  /// What changed.
  public enum Change: Sendable, Hashable {
    /// The supply is too weak.
    case begins
    /// It has recovered.
    case ends
  }

  /// How long no reading may have shown undervoltage before it ends.
  public let quietTime: Duration
  /// Whether the supply is too weak.
  public private(set) var isUndervoltage = false
  private var consecutive = 0
  private var lastSeen: MonotonicInstant?

  /// Makes a detector of a supply that is well.
  public init(quietTime: Duration = .seconds(10)) {
    self.quietTime = quietTime
  }

  /// Takes a reading.
  ///
  /// - Parameters:
  ///   - flags: what the firmware says now; `nil` when it could not be read.
  ///   - now: the time, never earlier than at the update before.
  /// - Returns: what changed, if anything did.
  public mutating func update(_ flags: ThrottleFlags?, at now: MonotonicInstant) -> Change? {
    if let flags {
      let isSeen = flags.contains(.undervoltage)
      consecutive = isSeen ? min(consecutive + 1, Self.readingsToBegin) : 0
      if isSeen { lastSeen = now }
    }
    if !isUndervoltage, consecutive >= Self.readingsToBegin {
      isUndervoltage = true
      return .begins
    }
    if isUndervoltage, lastSeen.map({ $0.duration(to: now) >= quietTime }) ?? true {
      isUndervoltage = false
      consecutive = 0
      return .ends
    }
    return nil
  }
}
