/// An event of the spool.
///
/// Events are hints to look, not the truth. The newest 64 are kept for a slow reader.
package enum SpoolEvent: Sendable, Hashable {
  /// A picture is on stable storage.
  case stored(ItemID)
  /// Every target has the item.
  case delivered(ItemID)
  /// An item was taken out of the queue.
  case quarantined(ItemID, QuarantineReason)
  /// The delivery of an item to a target was given up until a person asks for a retry.
  case parked(ItemID, TargetID)
  /// A final picture has replaced its proxy or could not, or the proxy is the final picture now.
  case replaced(ItemID)
  /// An item that was parked waits again.
  case waiting(ItemID)
  /// The queue of a target has got its first or lost its last waiting or parked delivery.
  case queue(TargetID, QueueState)
  /// An item without a receipt was removed: to make room, or by a person.
  case evicted(ItemID)
  /// Stable storage failed, and the service has to restart; only ends of deliveries follow.
  case failed(SpoolError)
}
