/// The items of one target that wait for delivery, as durable storage holds them.
///
/// Several items may be out at once. Every function may throw; the uploader then waits and asks
/// again, and what could not be committed of an item that has ended is offered again before anything
/// else. So for an item that is not in the queue any more, nothing is to be done and nothing thrown:
/// it would stand in the way of all the others.
public protocol DeliveryQueue: Sendable {
  /// Claims the oldest item that waits and whose file has just been found whole.
  ///
  /// A claimed item is not returned again until ``failed(_:error:attempts:)``,
  /// ``park(_:error:attempts:)``, ``complete(_:receipt:)`` or ``release(_:)`` ends the claim.
  ///
  /// - Parameter excluded: identities of items to leave out; those whose turn has not come again.
  /// - Returns: `nil` when no other item waits.
  func next(excluding excluded: Set<String>) async throws -> PendingDelivery?

  /// Returns a stream with an element whenever an item may have been added, or be free again.
  ///
  /// Elements may be merged: one for many items is enough.
  func arrivals() -> AsyncStream<Void>

  /// Ends a claim without a result; no attempt is counted.
  func release(_ id: String) async

  /// Records that an attempt has failed, and ends the claim.
  ///
  /// A failure of scope ``DeliveryFailure/Scope/item`` also counts among the item's
  /// ``PendingDelivery/itemFailures``.
  ///
  /// - Parameter attempts: the attempts so far, this one included.
  func failed(_ id: String, error: DeliveryFailure, attempts: Int) async throws

  /// Takes an item out of this target's queue until a person asks for it again; its file stays.
  ///
  /// When it is asked for again, its ``PendingDelivery/itemFailures`` begin anew.
  ///
  /// - Parameter attempts: the attempts so far, this one included.
  func park(_ id: String, error: DeliveryFailure, attempts: Int) async throws

  /// Commits what the next attempt needs to go on where this one stops; `nil` to begin anew.
  func keep(_ state: ResumeState?, of id: String) async throws

  /// Commits a receipt, and ends the claim; only after this may the file be removed.
  func complete(_ id: String, receipt: Receipt) async throws

  /// Commits for how long the target wants to be left alone; `nil` when that is over.
  func keep(_ pause: TargetPause?) async throws

  /// What is left of a pause that was committed in this boot of the machine; `nil` when nothing is.
  func keptPause() async throws -> TargetPause?
}

/// For how long a target wants to be left alone, and why.
public struct TargetPause: Sendable, Hashable {
  /// The time until the next attempt, from now on.
  public var remaining: Duration
  /// The failure that asked for it.
  public var failure: DeliveryFailure

  /// Makes a pause.
  public init(remaining: Duration, failure: DeliveryFailure) {
    self.remaining = remaining
    self.failure = failure
  }
}
