@testable import Spool

/// A model of the queue in simple rules, to compare the real one with.
struct QueueModel {
  struct Item: Equatable {
    var id: ItemID
    var content: Int
    var bytes: Int64
    var duplicateOf: ItemID?
    var deliveries: [TargetID: Delivery] = [:]
    var isQuarantined = false
    var isEvicted = false
  }

  struct Delivery: Equatable {
    var state = DeliveryState.pending
    var attempts = 0
    var itemFailures = 0
    var resumeState: String?
    var isDuplicate = false
  }

  var items: [Item] = []
  var claims: [TargetID: Set<ItemID>] = [:]
  var targets: [TargetID]
  let maximumItems: Int

  func index(_ id: ItemID) -> Int? { items.firstIndex { $0.id == id } }

  /// Returns the claims of a target, in an order that is the same in every process.
  func claimed(_ target: TargetID) -> [ItemID] {
    items.map(\.id).filter { claims[target]?.contains($0) == true }
  }

  func isClaimed(_ id: ItemID) -> Bool { claims.values.contains { $0.contains(id) } }

  func isWaiting(_ item: Item) -> Bool {
    !item.isQuarantined && !item.isEvicted
      && item.deliveries.values.contains { $0.state == .pending || $0.state == .parked }
  }

  /// Returns the state as the spool shows it; a delivered item may be purged already.
  func state(_ item: Item) -> ItemState {
    if item.isQuarantined { return .quarantined }
    if item.isEvicted { return .evicted }
    let states = item.deliveries.values.map(\.state)
    if states.contains(.pending) { return isClaimed(item.id) ? .delivering : .stored }
    return states.contains(.parked) ? .parked : .delivered
  }

  /// Returns the items that have to go for one more; `nil` when it cannot be stored.
  func evictions() -> [ItemID]? {
    let kept = items.filter { $0.isQuarantined && !$0.isEvicted } + items.filter(isWaiting)
    let excess = kept.count + 1 - maximumItems
    guard excess > 0 else { return [] }
    let free = kept.filter { !isClaimed($0.id) }.prefix(excess).map(\.id)
    return free.count == excess ? Array(free) : nil
  }

  mutating func store(_ id: ItemID, content: Int, bytes: Int64) {
    for gone in evictions() ?? [] { evict(gone) }
    var item = Item(id: id, content: content, bytes: bytes)
    item.duplicateOf =
      items.first { $0.content == content && !$0.isQuarantined && !$0.isEvicted }?.id
    for target in targets { item.deliveries[target] = Delivery() }
    items.append(item)
  }

  mutating func evict(_ id: ItemID) {
    guard let index = index(id) else { return }
    items[index].isEvicted = true
    items[index].isQuarantined = false
    for target in items[index].deliveries.keys
    where items[index].deliveries[target]?.state != .done {
      items[index].deliveries[target]?.state = .evicted
      items[index].deliveries[target]?.resumeState = nil
    }
  }

  mutating func quarantine(_ id: ItemID) {
    guard let index = index(id) else { return }
    items[index].isQuarantined = true
    for target in items[index].deliveries.keys {
      let state = items[index].deliveries[target]?.state
      if state == .pending || state == .parked {
        items[index].deliveries[target]?.state = .quarantined
      }
      claims[target]?.remove(id)
    }
  }

  /// Claims an item, and finishes the duplicates on the way.
  mutating func next(_ target: TargetID, excluding: Set<ItemID>) -> ItemID? {
    guard targets.contains(target) else { return nil }
    for index in items.indices {
      let item = items[index]
      guard item.deliveries[target]?.state == .pending, !excluding.contains(item.id),
        claims[target]?.contains(item.id) != true
      else { continue }
      let original = item.duplicateOf.flatMap { id in items.first { $0.id == id } }
      switch original?.deliveries[target]?.state {
      case .pending: continue
      case .done:
        items[index].deliveries[target]?.state = .done
        items[index].deliveries[target]?.isDuplicate = true
        items[index].deliveries[target]?.resumeState = nil
      default:
        claims[target, default: []].insert(item.id)
        return item.id
      }
    }
    return nil
  }

  mutating func change(_ id: ItemID, _ target: TargetID, _ body: (inout Delivery) -> Void) {
    guard let index = index(id), var delivery = items[index].deliveries[target] else { return }
    body(&delivery)
    items[index].deliveries[target] = delivery
  }

  func delivery(_ id: ItemID, _ target: TargetID) -> Delivery? {
    index(id).flatMap { items[$0].deliveries[target] }
  }
}
