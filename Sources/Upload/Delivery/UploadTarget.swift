/// A place that items are delivered to.
///
/// Delivery is idempotent: an item that the target holds intact counts as delivered. Several
/// deliveries of different items may run at once.
package protocol UploadTarget: Sendable {
  /// The target's name for people, without secrets.
  var description: String { get }

  /// Delivers an item and proves it.
  ///
  /// The item's file may be damaged. A target compares the file with the item's SHA-256 before the
  /// file's bytes get the item's name, and throws `fileUnreadable` for another file. The caller
  /// compares the file again after a receipt with ``Receipt/Verification/statusOnly``.
  ///
  /// Canceling the task ends the delivery at once, with ``DeliveryFailure/Code/cancelled``.
  ///
  /// - Parameters:
  ///   - delivery: the item, with the state that an earlier attempt kept.
  ///   - journal: the receiver of resume states and progress.
  /// - Throws: ``DeliveryFailure``; objects left at the target do no harm to the next attempt.
  func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt
}
