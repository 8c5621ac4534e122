package import Devices

/// Decides from the firmware's flickering flag whether the supply is too weak.
///
/// Undervoltage begins with the second reading in a row that shows it, and ends when no reading has
/// shown it for 10 s. A failed reading shows no undervoltage, so that a missing sensor
/// does not report it forever.
package struct UndervoltageDetector: Sendable {
  /// The number of readings in a row that begin undervoltage.
  package static let readingsToBegin = 2

  /// A change of the supply's state.
  package enum Change: Sendable, Hashable {
    /// The supply is too weak.
    case begins
    /// The supply has recovered.
    case ends
  }

  /// The time without a reading of undervoltage after which it ends.
  private static let quietTime = Duration.seconds(10)
  /// Whether the supply is too weak.
  package private(set) var isUndervoltage = false
  private var consecutive = 0
  private var lastSeen: MonotonicInstant?

  /// Makes a detector of a supply without undervoltage.
  package init() {}

  /// Takes a reading.
  ///
  /// - Parameters:
  ///   - flags: the firmware's current flags; `nil` when they could not be read.
  ///   - now: the time, never earlier than at the previous update.
  /// - Returns: the change, if there is any.
  package mutating func update(_ flags: ThrottleFlags?, at now: MonotonicInstant) -> Change? {
    if let flags {
      let isSeen = flags.contains(.undervoltage)
      consecutive = isSeen ? min(consecutive + 1, Self.readingsToBegin) : 0
      if isSeen { lastSeen = now }
    }
    if !isUndervoltage, consecutive >= Self.readingsToBegin {
      isUndervoltage = true
      return .begins
    }
    if isUndervoltage, lastSeen.map({ $0.duration(to: now) >= Self.quietTime }) ?? true {
      isUndervoltage = false
      consecutive = 0
      return .ends
    }
    return nil
  }
}
