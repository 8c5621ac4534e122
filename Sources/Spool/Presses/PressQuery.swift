/// Which presses of the ledger are asked for; the newest come first.
public struct PressQuery: Sendable, Hashable {
  /// How a press stands.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// It has no outcome yet.
    case pending
    /// It has a picture.
    case stored
    /// It has none.
    case refused
  }

  /// How many at most, 0...10,000; more are not given.
  public var limit: Int
  /// Only presses with a smaller number: the key of the next page.
  public var before: Int64?
  /// Only presses with a larger number.
  public var after: Int64?
  /// Only presses that stand so.
  public var outcome: Outcome?
  /// Only presses refused for this reason.
  public var reason: String?
  /// Only presses made with this gesture.
  public var gesture: String?
  /// Only presses at or after this wall-clock time, in nanoseconds since 1970.
  ///
  /// A press whose time is unknown is in no range.
  public var since: Int64?
  /// Only presses before this wall-clock time, in nanoseconds since 1970.
  public var until: Int64?

  /// Asks for the newest presses.
  public init(limit: Int = 20) {
    self.limit = limit
  }

  /// Whether an entry is one of those that are asked for, whatever the limit is.
  public func matches(_ entry: PressEntry) -> Bool {
    guard entry.number < before ?? .max, entry.number > after ?? .min else { return false }
    if let outcome, outcome != Outcome(entry.outcome) { return false }
    if let reason, reason != entry.reason { return false }
    if let gesture, gesture != entry.gesture { return false }
    guard since != nil || until != nil else { return true }
    guard let wall = entry.time.wallNanoseconds else { return false }
    return wall >= since ?? .min && wall < until ?? .max
  }
}

extension PressQuery.Outcome {
  /// How an entry stands.
  public init(_ outcome: PressEntry.Outcome?) {
    switch outcome {
    case .stored: self = .stored
    case .refused: self = .refused
    case nil: self = .pending
    }
  }
}

/// How many presses ended how, over the life of the database.
public struct PressCounts: Sendable, Hashable {
  /// The presses of one outcome and reason.
  public struct Count: Sendable, Hashable {
    /// The outcome.
    public var outcome: PressQuery.Outcome
    /// The reason of a refusal; `nil` for the others.
    public var reason: String?
    /// Entries that are in the ledger.
    public var kept: Int
    /// Entries that have been pruned.
    public var pruned: Int
  }

  /// By outcome and reason, the most frequent first; what is not on stable storage yet is left out.
  public var counts: [Count]
  /// Presses that could not be entered, because the disk kept the ledger waiting for too long.
  public var lostEntries: Int
  /// Edges that the kernel counted and nobody got to see.
  public var lostEdges: Int
  /// How many entries the ledger holds at most, but for those in flight.
  public var limit: Int
}
