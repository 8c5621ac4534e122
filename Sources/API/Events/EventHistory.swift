/// The last events of a run, so that a listener who was away can go on where it stopped.
public struct EventHistory<Event: NumberedEvent>: Sendable {
  /// What a listener has to be given before the live events.
  public struct Replay: Sendable, Hashable {
    /// What cannot be given any more; `nil` when nothing was missed.
    public let missed: MissedEvents?
    /// The events that are still kept, the oldest first.
    public let events: [Event]
  }

  /// How many events are kept.
  public let limit: Int
  private var events: [Event] = []
  private var start = 0
  private let first: UInt64?

  /// Makes an empty history.
  ///
  /// - Parameters:
  ///   - limit: how many events are kept, 1 or more.
  ///   - first: the number of the first event, 1 or more; `nil` when nobody knows.
  public init(limit: Int, first: UInt64? = 1) {
    self.limit = max(1, limit)
    self.first = first.map { max(1, $0) }
  }

  /// The newest event's number; 0 when there was none.
  public private(set) var newest: UInt64 = 0

  /// After which number a listener that comes now goes on; `nil` when nobody knows.
  var position: UInt64? { newest > 0 ? newest : first.map { $0 - 1 } }

  /// Adds an event, forgetting the oldest when there are too many.
  ///
  /// - Complexity: O(1) amortised.
  public mutating func append(_ event: Event) {
    newest = event.id
    if events.count < limit {
      events.append(event)
    } else {
      events[start] = event
      start = (start + 1) % limit
    }
  }

  /// What follows the event with a number.
  ///
  /// A number that is newer than all events is taken as one of a run that is unknown here.
  ///
  /// - Parameter number: the last event that the listener saw; `nil` when it saw those of another
  ///   run, and how many it missed cannot be known.
  /// - Complexity: O(number of events kept).
  public func replay(after number: UInt64?) -> Replay {
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
public struct MissedEvents: Sendable, Hashable, Codable {
  /// How many were missed; `nil` when the service was restarted and nobody knows.
  public let count: UInt64?

  /// Makes a notice.
  public init(count: UInt64?) {
    self.count = count
  }
}

/// The notice for a gap between two consecutive events' numbers; `nil` when there is none.
func missedEvents(after last: UInt64, before next: UInt64?) -> MissedEvents? {
  guard let next, next > last, next - last > 1 else { return nil }
  return MissedEvents(count: next - last - 1)
}
