/// The items that have failed and wait for their turn, each with its own back-off.
struct ItemFaults {
  /// Why an item waits, and until when.
  struct Fault: Hashable {
    /// When its turn comes again.
    var end: Duration
    /// Its failures in a row, for the back-off; 1 or more.
    var failures: Int
    /// The last of them.
    var failure: DeliveryFailure
    /// How many items the target had taken when it failed.
    var takenBefore: Int
    /// Whether it was found out afterwards that a fault of the target was this item's; the queue
    /// hears of it with the item's next failure.
    var isConvicted = false
    /// When that was counted against it last.
    var countedAt: Duration?
  }

  /// The shortest time between two faults of the target that are counted against one item: a target
  /// that works now and then gets as many times longer to recover as an item has to be convicted.
  static let shortestCount = Duration.seconds(900)

  private var faults: [String: Fault] = [:]

  /// The fault of an item, if it has failed.
  subscript(id: String) -> Fault? { faults[id] }

  /// All items that have failed and are not delivered.
  var ids: Set<String> { Set(faults.keys) }

  /// How many they are.
  var count: Int { faults.count }

  /// Those whose turn has not come again.
  func paused(at now: Duration) -> Set<String> {
    Set(faults.lazy.filter { $0.value.end > now }.map(\.key))
  }

  /// When the next turn comes; `nil` when nobody waits.
  func nextEnd(after now: Duration) -> Duration? {
    faults.values.lazy.map(\.end).filter { $0 > now }.min()
  }

  /// The first of those that wait, the next one first.
  func first(_ count: Int) -> [(id: String, fault: Fault)] {
    let all = faults.sorted { ($0.value.end, $0.key) < ($1.value.end, $1.key) }
    return all.prefix(count).map { ($0.key, $0.value) }
  }

  /// Lets an item wait.
  mutating func set(_ id: String, _ fault: Fault) { faults[id] = fault }

  /// Notes that a fault of the target was this item's, which waits already.
  mutating func convict(_ id: String) { faults[id]?.isConvicted = true }

  /// Takes back the note that a fault of the target was this item's; returns whether there was one
  /// that counts.
  mutating func takeConviction(_ id: String, at now: Duration) -> Bool {
    guard let fault = faults[id], fault.isConvicted else { return false }
    faults[id]?.isConvicted = false
    if let last = fault.countedAt, now - last < Self.shortestCount { return false }
    faults[id]?.countedAt = now
    return true
  }

  /// Forgets an item.
  ///
  /// - Returns: whether it had failed before.
  @discardableResult
  mutating func forget(_ id: String) -> Bool { faults.removeValue(forKey: id) != nil }

  /// Ends all waits.
  mutating func endWaits(at now: Duration) {
    for (id, fault) in faults where fault.end > now { faults[id]?.end = now }
  }
}
