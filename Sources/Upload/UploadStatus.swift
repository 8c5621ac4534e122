/// What one target's uploader does at the moment, and what it has done since it was made.
public struct UploadStatus: Sendable, Hashable {
  /// What the uploader does, in one word; the other properties say more.
  public enum Activity: Sendable, Hashable {
    /// It does not run.
    case stopped
    /// Nothing waits for delivery.
    case idle
    /// It delivers an item, or several.
    case delivering
    /// It may not begin; see ``UploadStatus/holds``.
    case held
    /// It waits before it tries again; `scope` says whether for one item or for everything.
    case waiting(remaining: Duration, scope: DeliveryFailure.Scope, reason: DeliveryFailure)
  }

  /// A delivery that runs.
  public struct Delivery: Sendable, Hashable {
    /// The item's identity.
    public var id: String
    /// The name at the target.
    public var remoteName: String
    /// The number of the attempt; the first one is 1.
    public var attempt: Int
    /// The item's size in bytes.
    public var byteCount: Int64
    /// How far it is, as the target says it.
    public var progress: DeliveryProgress
  }

  /// Whether the target is tried.
  public enum Breaker: Sendable, Hashable {
    /// It works, as far as is known.
    case closed
    /// It does not work, and is left alone for a time; zero when only an item to try it with lacks.
    case open(remaining: Duration, reason: DeliveryFailure)
    /// It did not work, and one delivery finds out whether it does again.
    case probing(reason: DeliveryFailure)
  }

  /// An item that has failed and waits for its turn.
  public struct WaitingItem: Sendable, Hashable {
    /// The item's identity.
    public var id: String
    /// The time until its turn, zero when it has come.
    public var remaining: Duration
    /// Its failures in a row.
    public var failures: Int
    /// The last of them.
    public var reason: DeliveryFailure
  }

  /// A queue that did not answer.
  public struct QueueFault: Sendable, Hashable {
    /// The time until it is asked again.
    public var remaining: Duration
    /// What it said.
    public var reason: DeliveryFailure
  }

  /// Numbers that only grow, for metrics.
  public struct Counters: Sendable, Hashable {
    /// Items whose receipts are committed.
    public var delivered = 0
    /// Those of them that the target held already.
    public var duplicates = 0
    /// Attempts that failed.
    public var failures = 0
    /// Items that were parked.
    public var parked = 0
    /// Bytes of the items delivered, without duplicates.
    public var bytes: Int64 = 0
    /// Events that readers lost because they did not keep up.
    public var droppedEvents = 0
  }

  /// The most items that ``waitingItems`` names.
  public static let waitingItemLimit = 20

  /// Whether it runs.
  public var isRunning = false
  /// The deliveries that run, in the order in which they began.
  public var deliveries: [Delivery] = []
  /// The reasons for which none may begin.
  public var holds: Set<UploadHold> = []
  /// Whether the target is tried.
  public var breaker = Breaker.closed
  /// Why the queue is not asked, if it has failed.
  public var queueFault: QueueFault?
  /// The first of the items that have failed and wait for their turn, the next one first.
  public var waitingItems: [WaitingItem] = []
  /// How many they are.
  public var waitingItemCount = 0
  /// Numbers that only grow.
  public var counters = Counters()
  /// The last receipt committed; its time is by this machine's clock, which may be wrong.
  public var lastReceipt: Receipt?
  /// How long ago that was.
  public var lastReceiptAge: Duration?

  /// A status of an uploader that does not run.
  public init() {}

  /// What the uploader does, in one word.
  public var activity: Activity {
    guard isRunning else { return .stopped }
    if !deliveries.isEmpty { return .delivering }
    if let queueFault {
      return .waiting(
        remaining: queueFault.remaining, scope: .target, reason: queueFault.reason)
    }
    if !holds.isEmpty { return .held }
    // When the wait is over and nothing runs, there is nothing to try the target with.
    if case .open(let remaining, let reason) = breaker, remaining > .zero {
      return .waiting(remaining: remaining, scope: .target, reason: reason)
    }
    if let item = waitingItems.first {
      return .waiting(remaining: item.remaining, scope: .item, reason: item.reason)
    }
    return .idle
  }
}

/// Something that has happened to an item.
public enum DeliveryEvent: Sendable, Hashable {
  /// Delivery has begun; the first attempt has the number 1.
  case began(id: String, remoteName: String, attempt: Int)
  /// The delivery is so far; four times a second for an item at most.
  case progressed(id: String, DeliveryProgress)
  /// The item is delivered and its receipt is committed.
  case completed(id: String, receipt: Receipt)
  /// The attempt has failed; the next one is in `nextAttemptIn` at the earliest.
  case failed(id: String, failure: DeliveryFailure, attempts: Int, nextAttemptIn: Duration)
  /// The attempt has failed, and the item is durably out of the queue until a person asks for it.
  case parked(id: String, failure: DeliveryFailure, attempts: Int)
}
