/// The last events of a run, which each listener reads from a position of its own.
struct EventHistory<Event: NumberedEvent>: Sendable {
  /// A part of the events that a listener reads.
  enum Item: Sendable {
    /// A notice of events that are no longer kept, or that never came.
    case missed(MissedEvents)
    case event(SharedEvent<Event>)
  }

  /// The position up to which a listener has read.
  struct Position: Sendable {
    /// The count of the run's events before the position.
    fileprivate var count: Int
    /// The number of the event before the position; `nil` when the number is unknown.
    fileprivate var last: UInt64?
    /// Whether the listener is still to be told that its event belongs to another run.
    fileprivate var isOfAnotherRun = false
  }

  private var events: NewestValues<SharedEvent<Event>>
  /// The count of all events of the run.
  private var count = 0
  private let first: UInt64?
  /// The newest event's number; 0 when there was none.
  private var newest: UInt64 = 0

  /// Makes an empty history.
  ///
  /// - Parameters:
  ///   - limit: the number of events that are kept, 1 or more.
  ///   - maximumBytes: the bytes of the events that are kept.
  ///   - first: the number of the first event, 1 or more; `nil` when the number is unknown.
  init(limit: Int, maximumBytes: Int = .max, first: UInt64? = 1) {
    events = NewestValues(maximumCount: limit, maximumBytes: maximumBytes)
    self.first = first.map { max(1, $0) }
  }

  /// Adds an event, and forgets the oldest ones when there are too many.
  ///
  /// - Complexity: O(1) amortized.
  mutating func append(_ event: Event) {
    newest = event.id
    count += 1
    events.append(SharedEvent(event), bytes: event.bytes)
  }

  /// The position after the newest event.
  var end: Position { Position(count: count, last: newest > 0 ? newest : first.map { $0 - 1 }) }

  /// Returns the position after an event.
  ///
  /// A number above that of the newest event counts as a number of another run.
  ///
  /// - Parameter number: the last event that the listener saw; `nil` when that event belongs to
  ///   another run, so that the number of missed events is unknown.
  /// - Complexity: O(number of events kept).
  func position(after number: UInt64?) -> Position {
    guard let number, number <= newest else {
      return Position(count: oldest, last: nil, isOfAnotherRun: true)
    }
    return Position(count: count - events.all.count { $0.event.id > number }, last: number)
  }

  /// Returns the number of events that are forgotten already and follow a position.
  func forgottenCount(after position: Position) -> Int { max(0, oldest - position.count) }

  /// Returns the kept events that follow a position, and moves the position to the end.
  ///
  /// - Complexity: O(number of these events).
  func read(from position: inout Position) -> [Item] {
    var items: [Item] = []
    if position.isOfAnotherRun { items.append(.missed(MissedEvents(count: nil))) }
    var last = position.last
    for event in events.newest(count - position.count) {
      if let last, event.event.id > last + 1 {
        items.append(.missed(MissedEvents(count: event.event.id - last - 1)))
      }
      items.append(.event(event))
      last = event.event.id
    }
    position = Position(count: count, last: last)
    return items
  }

  /// The count of the run's events before the oldest that is kept.
  private var oldest: Int { count - events.count }
}

/// A notice that a listener did not get all events.
package struct MissedEvents: Sendable, Hashable, Codable {
  /// The number of missed events; `nil` when it is unknown after a restart of the service.
  package let count: UInt64?
}
