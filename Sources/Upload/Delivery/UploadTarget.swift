/// A place that items are delivered to.
///
/// Delivering is idempotent: an item that is there already, whole, is delivered. Several deliveries
/// of different items may run at once.
public protocol UploadTarget: Sendable {
  /// The target's name for people, without secrets.
  var description: String { get }

  /// Delivers an item and proves it.
  ///
  /// Cancelling the task ends it at once, with ``DeliveryFailure/Code/cancelled``.
  ///
  /// - Parameters:
  ///   - delivery: the item, with what an earlier attempt kept.
  ///   - journal: is told what a later attempt needs, and how far this one is.
  /// - Throws: ``DeliveryFailure``; what the target then holds does no harm to the next attempt.
  func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt
}
