/// The items of one target that wait for delivery, as durable storage holds them.
///
/// Several items may be claimed at once. Every function may throw; the uploader then waits and
/// retries. A result that could not be committed is offered again before anything else. For an item
/// no longer in the queue a function must therefore do nothing and not throw, or that item would
/// block all others.
package protocol DeliveryQueue: Sendable {
  /// Claims the oldest waiting item, whose file the target compares with the item.
  ///
  /// A claimed item is not returned again until ``failed(_:error:attempts:)``,
  /// ``park(_:error:attempts:)``, ``complete(_:receipt:)`` or ``release(_:)`` ends the claim.
  ///
  /// - Parameter excluded: the identities of items to skip, for example because their wait has not
  ///   ended.
  /// - Returns: `nil` when no other item waits.
  func next(excluding excluded: Set<String>) async throws -> PendingDelivery?

  /// Calls a function, which does not block, whenever an item may have been added or released.
  ///
  /// The calls for many items may be merged into a single call.
  func tellArrivals(to listener: @escaping @Sendable () -> Void)

  /// Ends a claim without a result; no attempt is counted.
  func release(_ id: String) async

  /// Records that an attempt has failed, and ends the claim.
  ///
  /// A failure of scope ``DeliveryFailure/Scope/item`` also counts among the item's
  /// ``PendingDelivery/itemFailures``. After a failure with
  /// ``DeliveryFailure/Code/fileUnreadable`` the queue checks the file, and an item whose file is
  /// damaged leaves the queue. The same holds for ``park(_:error:attempts:)``.
  ///
  /// - Parameter attempts: the number of attempts so far, including this attempt.
  /// - Returns: whether the item stays in the queue.
  @discardableResult
  func failed(_ id: String, error: DeliveryFailure, attempts: Int) async throws -> Bool

  /// Takes an item out of this target's queue until a person requests a retry; its file stays.
  ///
  /// The request for a retry resets the item's ``PendingDelivery/itemFailures``.
  ///
  /// - Parameter attempts: the number of attempts so far, including this attempt.
  /// - Returns: whether the item is parked; `false` for an item that has left the queue.
  @discardableResult
  func park(_ id: String, error: DeliveryFailure, attempts: Int) async throws -> Bool

  /// Commits the state that the next attempt resumes from; `nil` restarts the delivery.
  func keep(_ state: ResumeState?, of id: String) async throws

  /// Commits a receipt and ends the claim; the file may be removed only afterwards.
  func complete(_ id: String, receipt: Receipt) async throws

  /// Commits the pause that the target asked for; `nil` when the pause is over.
  func keep(_ pause: TargetPause?) async throws

  /// Returns the rest of a pause that was committed since this boot; `nil` for no pause.
  func keptPause() async throws -> TargetPause?
}

/// A pause that a target asked for, and the reason.
package struct TargetPause: Sendable, Hashable {
  /// The time until the next attempt, from now on.
  package var remaining: Duration
  /// The failure that asked for the pause.
  package var failure: DeliveryFailure

  package init(remaining: Duration, failure: DeliveryFailure) {
    self.remaining = remaining
    self.failure = failure
  }
}
