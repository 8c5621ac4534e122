/// The failed items that wait for a retry, each with its own back-off.
struct ItemFaults {
  /// The reason for an item's wait, and the wait's end.
  struct Fault: Hashable {
    /// The end of the item's wait.
    var end: Duration
    /// The item's failures in a row, for the back-off; 1 or more.
    var failures: Int
    /// The item's last failure.
    var failure: DeliveryFailure
    /// The number of items that the target had taken when this item failed.
    var takenBefore: Int
    /// Whether a fault of the target turned out afterwards to be this item's.
    ///
    /// The queue learns of that with the item's next failure.
    var isConvicted = false
    /// The instant at which such a fault was last counted against the item.
    var countedAt: Duration?
  }

  /// The shortest time between two target faults that are counted against one item.
  ///
  /// A target that works only now and then thus has at least this time to recover between two
  /// counted faults.
  static let shortestCount = Duration.seconds(900)

  private var faults: [String: Fault] = [:]

  /// The fault of an item, if it has failed.
  subscript(id: String) -> Fault? { faults[id] }

  /// The identities of all items that have failed and are not delivered.
  var ids: Set<String> { Set(faults.keys) }

  /// The number of failed items.
  var count: Int { faults.count }

  /// Returns the identities of the items whose wait has not ended.
  func paused(at now: Duration) -> Set<String> {
    Set(faults.lazy.filter { $0.value.end > now }.map(\.key))
  }

  /// Returns the end of the next wait; `nil` when no item waits.
  func nextEnd(after now: Duration) -> Duration? {
    faults.values.lazy.map(\.end).filter { $0 > now }.min()
  }

  /// Returns the first failed items, in the order in which their waits end.
  func first(_ count: Int) -> [(id: String, fault: Fault)] {
    let all = faults.sorted { ($0.value.end, $0.key) < ($1.value.end, $1.key) }
    return all.prefix(count).map { ($0.key, $0.value) }
  }

  /// Lets an item wait.
  mutating func set(_ id: String, _ fault: Fault) { faults[id] = fault }

  /// Notes that a fault of the target was the fault of a waiting item.
  mutating func convict(_ id: String) { faults[id]?.isConvicted = true }

  /// Clears the note of ``convict(_:)``; returns whether there was a note that counts.
  mutating func takeConviction(_ id: String, at now: Duration) -> Bool {
    guard let fault = faults[id], fault.isConvicted else { return false }
    faults[id]?.isConvicted = false
    if let last = fault.countedAt, now - last < Self.shortestCount { return false }
    faults[id]?.countedAt = now
    return true
  }

  /// Forgets an item.
  ///
  /// - Returns: whether the item had failed before.
  @discardableResult
  mutating func forget(_ id: String) -> Bool { faults.removeValue(forKey: id) != nil }

  /// Ends all waits.
  mutating func endWaits(at now: Duration) {
    for (id, fault) in faults where fault.end > now { faults[id]?.end = now }
  }
}
