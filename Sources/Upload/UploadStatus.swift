/// The current state of one target's uploader, and its work since it was made.
package struct UploadStatus: Sendable, Hashable {
  /// The uploader's activity in one word; the other properties give details.
  package enum Activity: Sendable, Hashable {
    /// The uploader does not run.
    case stopped
    /// No item waits for delivery.
    case idle
    /// The uploader delivers one or more items.
    case delivering
    /// The uploader may not begin deliveries; see ``UploadStatus/holds``.
    case held
    /// The uploader waits before a retry; `scope` tells whether one item or all items wait.
    case waiting(remaining: Duration, scope: DeliveryFailure.Scope, reason: DeliveryFailure)
  }

  /// A delivery that runs.
  package struct Delivery: Sendable, Hashable {
    /// The item's identity.
    package var id: String
    /// The name at the target.
    package var remoteName: String
    /// The number of the attempt; the first one is 1.
    package var attempt: Int
    /// The item's size in bytes.
    package var byteCount: Int64
    /// The delivery's progress, as the target reports it.
    package var progress: DeliveryProgress
  }

  /// The state of the breaker, which decides whether the target gets deliveries.
  package enum Breaker: Sendable, Hashable {
    /// The target works, as far as is known.
    case closed
    /// The target does not work and is left alone; zero when only an item for a probe is missing.
    case open(remaining: Duration, reason: DeliveryFailure)
    /// The target did not work, and one delivery finds out whether it works again.
    case probing(reason: DeliveryFailure)
  }

  /// An item that has failed and waits for its turn.
  package struct WaitingItem: Sendable, Hashable {
    /// The item's identity.
    package var id: String
    /// The time until the item's retry, zero when the retry is due.
    package var remaining: Duration
    /// The item's failures in a row.
    package var failures: Int
    /// The last failure.
    package var reason: DeliveryFailure
  }

  /// A queue that did not answer.
  package struct QueueFault: Sendable, Hashable {
    /// The time until the queue is asked again.
    package var remaining: Duration
    /// The failure that the queue reported.
    package var reason: DeliveryFailure
  }

  /// Counters that only grow, for metrics.
  package struct Counters: Sendable, Hashable {
    /// The items whose receipts are committed.
    package var delivered = 0
    /// The delivered items that the target held already.
    package var duplicates = 0
    /// The attempts that failed.
    package var failures = 0
    /// The items that were parked.
    package var parked = 0
    /// The bytes of the items delivered, without duplicates.
    package var bytes: Int64 = 0
  }

  /// The most items that ``waitingItems`` names.
  package static let waitingItemLimit = 20

  /// Whether the uploader runs.
  package var isRunning = false
  /// The deliveries that run, in the order in which they began.
  package var deliveries: [Delivery] = []
  /// The reasons for which no delivery may begin.
  package var holds: Set<UploadHold> = []
  /// The state of the breaker, which decides whether the target gets deliveries.
  package var breaker = Breaker.closed
  /// The queue's failure, which is why the queue is not asked.
  package var queueFault: QueueFault?
  /// The first of the failed items that wait for a retry, the next one first.
  package var waitingItems: [WaitingItem] = []
  /// The number of failed items that wait for a retry.
  package var waitingItemCount = 0
  /// The counters, which only grow.
  package var counters = Counters()
  /// The last receipt committed; its time is by this machine's clock, which may be wrong.
  package var lastReceipt: Receipt?
  /// The time since the last receipt was committed.
  package var lastReceiptAge: Duration?

  /// Makes the status of an uploader that does not run.
  package init() {}

  /// The uploader's activity in one word.
  package var activity: Activity {
    guard isRunning else { return .stopped }
    if !deliveries.isEmpty { return .delivering }
    if let queueFault {
      return .waiting(
        remaining: queueFault.remaining, scope: .target, reason: queueFault.reason)
    }
    if !holds.isEmpty { return .held }
    // After the wait without a running delivery, there is no item to probe the target with.
    if case .open(let remaining, let reason) = breaker, remaining > .zero {
      return .waiting(remaining: remaining, scope: .target, reason: reason)
    }
    if let item = waitingItems.first {
      return .waiting(remaining: item.remaining, scope: .item, reason: item.reason)
    }
    return .idle
  }
}

/// An event in the delivery of an item.
package enum DeliveryEvent: Sendable, Hashable {
  /// Delivery has begun; the first attempt has the number 1.
  case began(id: String, remoteName: String, attempt: Int, metadata: [String: String] = [:])
  /// The delivery has progressed; four times a second for an item at most.
  case progressed(id: String, DeliveryProgress)
  /// The item is delivered and its receipt is committed.
  case completed(id: String, receipt: Receipt)
  /// The attempt has failed; the next attempt is in `nextAttemptIn` at the earliest.
  ///
  /// The duration is `nil` for an item that has left the queue.
  case failed(id: String, failure: DeliveryFailure, attempts: Int, nextAttemptIn: Duration?)
  /// The attempt has failed, and the item is durably parked until a person asks for it.
  case parked(id: String, failure: DeliveryFailure, attempts: Int)
}
