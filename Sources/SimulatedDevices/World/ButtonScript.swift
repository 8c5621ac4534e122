import Devices

/// The past and future edges of a button's line, in order.
struct ButtonScript: Sendable {
  enum Entry: Sendable {
    case edge(LineEdge)
    case lost(count: Int, time: MonotonicInstant)

    var time: MonotonicInstant {
      switch self {
      case .edge(let edge): edge.time
      case .lost(_, let time): time
      }
    }
  }

  /// The number of past entries that are kept for late readers.
  static let keptEntries = 8192

  private var entries: [Entry] = []
  /// The number of entries that have been dropped before ``entries``.
  private var droppedEntries = 0
  private var levelBeforeEntries = false
  private var nextSequence: UInt32 = 1
  private let seed: UInt64
  private var bounces: UInt64 = 0

  init(seed: UInt64) { self.seed = seed }

  /// Returns the number of the first entry after an instant, which readers keep as their place.
  func cursor(at instant: MonotonicInstant) -> Int {
    droppedEntries + (entries.firstIndex { $0.time > instant } ?? entries.count)
  }

  /// Returns the entries from a place up to an instant, and the place after them.
  func entries(from cursor: Int, upTo instant: MonotonicInstant) -> ([Entry], cursor: Int) {
    let start = max(0, cursor - droppedEntries)
    let due = entries.dropFirst(start).prefix { $0.time <= instant }
    return (Array(due), droppedEntries + start + due.count)
  }

  /// Returns the time of the next entry from a place; `nil` when none is scripted.
  func nextTime(from cursor: Int) -> MonotonicInstant? {
    let index = max(0, cursor - droppedEntries)
    return index < entries.count ? entries[index].time : nil
  }

  /// Whether the button is down at an instant.
  func isActive(at instant: MonotonicInstant) -> Bool {
    for entry in entries.reversed() where entry.time <= instant {
      if case .edge(let edge) = entry { return edge.kind == .activated }
    }
    return levelBeforeEntries
  }

  private var isActiveAtEnd: Bool {
    for case .edge(let edge) in entries.reversed() { return edge.kind == .activated }
    return levelBeforeEntries
  }

  /// Moves the contact with bounce and returns the time of its first edge.
  ///
  /// Does nothing when the contact is already in this state. An instant before the last scripted
  /// edge is moved after it, because edges must keep their order.
  mutating func move(
    to isActive: Bool, at instant: MonotonicInstant, bounce: ContactBounce
  ) -> MonotonicInstant {
    var time = instant
    if let last = entries.last, last.time >= time {
      time = last.time.advanced(by: .microseconds(1))
    }
    guard isActiveAtEnd != isActive else { return time }
    var times = [time]
    bounces += 1
    var random = SplitMix64(seed: SplitMix64.hash(seed, bounces))
    let span = bounce.duration.wholeNanoseconds
    var offsets: Set<Int64> = []
    while offsets.count < 2 * bounce.count {
      offsets.insert(Int64.random(in: 1...max(1, span), using: &random))
    }
    times += offsets.sorted().map { time.advanced(by: .nanoseconds($0)) }
    for (index, time) in times.enumerated() {
      append(index.isMultiple(of: 2) ? isActive : !isActive, at: time)
    }
    trim()
    return time
  }

  /// Makes evenly spaced edges, as a broken wire or strong interference does.
  mutating func storm(edges count: Int, at instant: MonotonicInstant, over duration: Duration) {
    var start = instant
    if let last = entries.last, last.time >= start {
      start = last.time.advanced(by: .microseconds(1))
    }
    let step = max(1, duration.wholeNanoseconds / Int64(max(1, count)))
    for index in 0..<count {
      append(!isActiveAtEnd, at: start.advanced(by: .nanoseconds(Int64(index) * step)))
    }
    trim(keeping: max(count, ButtonScript.keptEntries))
  }

  /// Loses edges and their numbers, as an overflowing kernel queue does.
  mutating func lose(_ count: Int, at instant: MonotonicInstant) {
    nextSequence &+= UInt32(clamping: count)
    let time = max(instant, entries.last?.time ?? instant)
    entries.append(.lost(count: count, time: time))
  }

  private mutating func append(_ isActive: Bool, at time: MonotonicInstant) {
    entries.append(
      .edge(
        LineEdge(
          kind: isActive ? .activated : .deactivated, time: time, lineSequence: nextSequence)))
    nextSequence &+= 1
  }

  private mutating func trim(keeping kept: Int = ButtonScript.keptEntries) {
    let excess = entries.count - kept
    guard excess > 0 else { return }
    for case .edge(let edge) in entries.prefix(excess) {
      levelBeforeEntries = edge.kind == .activated
    }
    entries.removeFirst(excess)
    droppedEntries += excess
  }
}
