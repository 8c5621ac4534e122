/// The rules by which an uploader begins, paces and retries deliveries.
package struct UploadPolicy: Sendable, Hashable {
  /// The order in which items are begun.
  package enum Order: String, Sendable, Hashable, Codable {
    /// The oldest item begins first; later items may overtake an item that waits after a failure.
    case oldestFirst
    /// An item begins only when all earlier items are delivered or parked.
    ///
    /// ``UploadPolicy/parallelDeliveries`` then has no effect.
    case strict
  }

  /// The range of ``parallelDeliveries``.
  package static let parallelRange = 1...8

  /// The waits after failures.
  package var retry: RetryPolicy
  /// The number of deliveries that may run at once, within ``parallelRange``.
  package var parallelDeliveries: Int
  /// The order in which items are begun.
  package var order: Order
  /// The number of an item's own failures after which the item is parked; 1 or more.
  ///
  /// Failures of scope ``DeliveryFailure/Scope/item`` count. Such a failure parks the item only if
  /// another item was delivered since the item's previous failure, so that the target is known to
  /// work. Failures of scope ``DeliveryFailure/Scope/target`` count when the target answered with
  /// them and then took another item. The next failure after so many parks the item.
  ///
  /// In ``Order/strict`` no other item can be delivered meanwhile, so this proof is not required.
  /// After three items were parked in a row the next item waits. A target that fails on one item
  /// may fail on all items, so there each hour of such failures counts once. An outage thus parks
  /// no item before as many hours have passed as failures park an item.
  package var itemFailuresUntilParked: Int
  /// The number of deliveries begun per minute, evenly spaced, 1 or more; `nil` for no limit.
  package var deliveriesPerMinute: Int?
  /// The window in which deliveries may begin; `nil` for always.
  package var window: UploadWindow?
  /// The limit for retries of items.
  package var retryBudget: RetryBudget
  /// The maximum delay of the first delivery when items wait from an earlier run.
  ///
  /// The delay prevents a fleet from returning in one instant. An item that arrives later at an
  /// empty queue is never delayed.
  package var startJitter: Duration

  /// Makes a policy; the defaults suit servers in the field.
  package init(
    retry: RetryPolicy = RetryPolicy(), parallelDeliveries: Int = 2, order: Order = .oldestFirst,
    itemFailuresUntilParked: Int = 8, deliveriesPerMinute: Int? = nil,
    window: UploadWindow? = nil, retryBudget: RetryBudget = RetryBudget(),
    startJitter: Duration = .seconds(2)
  ) {
    precondition(
      Self.parallelRange.contains(parallelDeliveries),
      "\(parallelDeliveries) deliveries cannot run at once: expected \(Self.parallelRange)")
    precondition(itemFailuresUntilParked >= 1, "an item is parked after a failure, not before")
    precondition(deliveriesPerMinute ?? 1 >= 1, "a rate without deliveries delivers nothing")
    self.retry = retry
    self.parallelDeliveries = parallelDeliveries
    self.order = order
    self.itemFailuresUntilParked = itemFailuresUntilParked
    self.deliveriesPerMinute = deliveriesPerMinute
    self.window = window
    self.retryBudget = retryBudget
    self.startJitter = startJitter
  }
}
