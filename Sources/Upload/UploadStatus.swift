/// What the uploader does at the moment, and what it has done since it was made.
public struct UploadStatus: Sendable, Hashable {
  /// What the uploader does.
  public enum Activity: Sendable, Hashable {
    /// It does not run.
    case stopped
    /// Nothing waits for delivery.
    case idle
    /// It delivers an item.
    case delivering(id: String)
    /// It waits before it tries again; `scope` says whether for one item or for everything.
    case waiting(remaining: Duration, scope: DeliveryFailure.Scope, reason: DeliveryFailure)
  }

  /// What the uploader does.
  public var activity: Activity
  /// Items whose receipts are committed.
  public var deliveredCount: Int
  /// Those of them that the target held already.
  public var duplicateCount: Int
  /// Attempts that failed.
  public var failureCount: Int
  /// Events that readers lost because they did not keep up.
  public var droppedEventCount: Int

  /// Makes a status.
  public init(
    activity: Activity, deliveredCount: Int = 0, duplicateCount: Int = 0, failureCount: Int = 0,
    droppedEventCount: Int = 0
  ) {
    self.activity = activity
    self.deliveredCount = deliveredCount
    self.duplicateCount = duplicateCount
    self.failureCount = failureCount
    self.droppedEventCount = droppedEventCount
  }
}

/// Something that has happened to an item.
public enum DeliveryEvent: Sendable, Hashable {
  /// Delivery has begun; the first attempt has the number 1.
  case began(id: String, remoteName: String, attempt: Int)
  /// The item is delivered and its receipt is committed.
  case completed(id: String, receipt: Receipt)
  /// The attempt has failed; the next one is in `nextAttemptIn` at the earliest.
  case failed(id: String, failure: DeliveryFailure, attempts: Int, nextAttemptIn: Duration)
}
