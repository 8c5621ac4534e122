/// A place that items are delivered to.
///
/// Delivering is idempotent: an item that is there already, whole, is delivered.
public protocol UploadTarget: Sendable {
  /// The target's name for people, without secrets.
  var description: String { get }

  /// Delivers an item and proves it.
  ///
  /// Cancelling the task ends it at once, with ``DeliveryFailure/Code/cancelled``.
  ///
  /// - Throws: ``DeliveryFailure``; what the target then holds does no harm to the next attempt.
  func deliver(_ delivery: PendingDelivery) async throws(DeliveryFailure) -> Receipt
}
