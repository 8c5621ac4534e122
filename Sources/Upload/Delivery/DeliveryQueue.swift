/// The items of one target that wait for delivery, as durable storage holds them.
///
/// The uploader asks for one item at a time and reports its end before it asks for another. Every
/// function may throw; the uploader then waits and asks again, and a receipt that could not be
/// committed is offered again before anything else.
public protocol DeliveryQueue: Sendable {
  /// Returns the oldest item that waits and whose file has just been found whole.
  ///
  /// - Parameter excluded: identities of items to leave out; those whose turn has not come again.
  /// - Returns: `nil` when no other item waits.
  func next(excluding excluded: Set<String>) async throws -> PendingDelivery?

  /// Returns a stream with an element whenever an item may have been added.
  ///
  /// Elements may be merged: one for many items is enough.
  func arrivals() -> AsyncStream<Void>

  /// Records that an attempt has failed.
  ///
  /// - Parameter attempts: the attempts so far, this one included.
  func failed(_ id: String, error: DeliveryFailure, attempts: Int) async throws

  /// Commits a receipt; only after this may the file be removed.
  func complete(_ id: String, receipt: Receipt) async throws
}
