/// How an uploader treats its target: what it begins, when, and how often.
public struct UploadPolicy: Sendable, Hashable {
  /// In which order items are begun.
  public enum Order: String, Sendable, Hashable, Codable {
    /// The oldest first; later ones may overtake one that waits after a failure.
    case oldestFirst
    /// One after another: an item is begun only when all earlier ones are delivered or parked, so
    /// that ``UploadPolicy/parallelDeliveries`` has no effect.
    case strict
  }

  /// The numbers of deliveries that may run at once.
  public static let parallelRange = 1...8

  /// The waits after failures.
  public var retry: RetryPolicy
  /// How many deliveries may run at once, ``parallelRange``.
  public var parallelDeliveries: Int
  /// In which order items are begun.
  public var order: Order
  /// After how many failures of its own an item is parked; 1 or more.
  ///
  /// Failures of scope ``DeliveryFailure/Scope/item`` count, and only one that comes while the
  /// target is known to work parks the item: something else was delivered since its failure before
  /// this one. Failures of scope ``DeliveryFailure/Scope/target`` count when the target answered
  /// with them and then took another item; the next failure after so many parks the item.
  ///
  /// In ``Order/strict`` nothing else can be delivered meanwhile, so there this proof is not asked
  /// for, but after three items in a row were parked the next one waits. A target that breaks on the
  /// item may as well break on all: there each hour counts in which it does nothing else, so that
  /// an outage parks nothing before as many hours have passed as failures park an item.
  public var itemFailuresUntilParked: Int
  /// How many deliveries are begun in a minute, evenly spaced, 1 or more; `nil` for no limit.
  public var deliveriesPerMinute: Int?
  /// When deliveries may begin; `nil` for always.
  public var window: UploadWindow?
  /// How many attempts may follow failures of items.
  public var retryBudget: RetryBudget
  /// The longest delay of the first delivery when items wait from an earlier run, so that a fleet
  /// does not come back in one instant; what arrives later at an empty queue is never delayed.
  public var startJitter: Duration

  /// Makes a policy; the defaults suit servers in the field.
  public init(
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
