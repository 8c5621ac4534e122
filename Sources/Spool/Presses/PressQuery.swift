package import Devices

/// A query for presses of the ledger; the newest come first.
package struct PressQuery: Sendable, Hashable {
  /// The state of a press.
  package enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The press has no outcome yet.
    case pending
    /// The press has a picture.
    case stored
    /// The press has no picture.
    case refused
  }

  /// The maximum number of presses, 0...10,000; a larger limit counts as 10,000.
  package var limit: Int
  /// The number that a press must be below: the key of the next page.
  package var before: Int64?
  /// The number that a press must be above.
  package var after: Int64?
  /// The state that a press must have.
  package var outcome: Outcome?
  /// The reason of refusal that a press must have.
  package var reason: String?
  /// The gesture that a press must have.
  package var gesture: Gesture?
  /// The earliest wall-clock time of a press, in nanoseconds since 1970.
  ///
  /// A press of unknown time is in no range.
  package var since: Int64?
  /// The wall-clock time before which a press must be, in nanoseconds since 1970.
  package var until: Int64?

  /// Asks for the newest presses.
  package init(limit: Int = 20) {
    self.limit = limit
  }

  /// Whether an entry matches the query, whatever the limit is.
  package func matches(_ entry: PressEntry) -> Bool {
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
  /// Makes the state that an entry's outcome means.
  package init(_ outcome: PressEntry.Outcome?) {
    switch outcome {
    case .stored: self = .stored
    case .refused: self = .refused
    case nil: self = .pending
    }
  }
}

/// The numbers of presses by outcome, over the life of the database.
package struct PressCounts: Sendable, Hashable {
  /// The number of presses with one outcome and reason.
  package struct Count: Sendable, Hashable {
    /// The outcome.
    package var outcome: PressQuery.Outcome
    /// The reason of a refusal; `nil` for other outcomes.
    package var reason: String?
    /// The number of entries in the ledger.
    package var kept: Int
    /// The number of pruned entries.
    package var pruned: Int
  }

  /// The counts by outcome and reason, the most frequent first, without entries not yet written.
  package var counts: [Count]
  /// The number of presses that were not entered because the disk blocked the ledger for too long.
  package var lostEntries: Int
  /// The number of edges that the kernel counted and the service did not receive.
  package var lostEdges: Int
  /// The maximum number of entries in the ledger, without presses in flight.
  package var limit: Int
}
