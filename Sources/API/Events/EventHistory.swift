/// The last events of a run, with which a listener that was away can continue.
package struct EventHistory<Event: NumberedEvent>: Sendable {
  /// The events to send to a listener before the live events.
  package struct Replay: Sendable, Hashable {
    /// The notice of missed events that are no longer kept; `nil` when none was missed.
    package let missed: MissedEvents?
    /// The events that are still kept, the oldest first.
    package let events: [Event]
  }

  /// The number of events that are kept.
  package let limit: Int
  private var events: [Event] = []
  private var start = 0
  private let first: UInt64?

  /// Makes an empty history.
  ///
  /// - Parameters:
  ///   - limit: the number of events that are kept, 1 or more.
  ///   - first: the number of the first event, 1 or more; `nil` when the number is unknown.
  package init(limit: Int, first: UInt64? = 1) {
    self.limit = max(1, limit)
    self.first = first.map { max(1, $0) }
  }

  /// The newest event's number; 0 when there was none.
  package private(set) var newest: UInt64 = 0

  /// The number after which a new listener continues; `nil` when the number is unknown.
  var position: UInt64? { newest > 0 ? newest : first.map { $0 - 1 } }

  /// Adds an event, forgetting the oldest when there are too many.
  ///
  /// - Complexity: O(1) amortized.
  package mutating func append(_ event: Event) {
    newest = event.id
    if events.count < limit {
      events.append(event)
    } else {
      events[start] = event
      start = (start + 1) % limit
    }
  }

  /// Returns the events that follow a number.
  ///
  /// A number above that of the newest event counts as a number of another run.
  ///
  /// - Parameter number: the last event that the listener saw; `nil` when that event belongs to
  ///   another run, so that the number of missed events is unknown.
  /// - Complexity: O(number of events kept).
  package func replay(after number: UInt64?) -> Replay {
    let kept = Array(events[start...] + events[..<start])
    guard let number, number <= newest else {
      return Replay(missed: MissedEvents(count: nil), events: kept)
    }
    let following = kept.filter { $0.id > number }
    let missed = missedEvents(after: number, before: following.first?.id)
    return Replay(missed: missed, events: following)
  }
}

/// A notice that a listener did not get all events.
package struct MissedEvents: Sendable, Hashable, Codable {
  /// The number of missed events; `nil` when it is unknown after a restart of the service.
  package let count: UInt64?

  package init(count: UInt64?) {
    self.count = count
  }
}

/// Returns the notice for a gap between two consecutive events' numbers; `nil` without a gap.
func missedEvents(after last: UInt64, before next: UInt64?) -> MissedEvents? {
  guard let next, next > last, next - last > 1 else { return nil }
  return MissedEvents(count: next - last - 1)
}
