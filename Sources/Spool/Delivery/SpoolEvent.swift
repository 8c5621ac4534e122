/// What happens in the spool.
///
/// Events are hints to look, not the truth: the newest 64 are kept for a slow reader.
public enum SpoolEvent: Sendable, Hashable {
  /// A picture is on stable storage.
  case stored(ItemID)
  /// Every target has the item.
  case delivered(ItemID)
  /// An item was taken out of the queue.
  case quarantined(ItemID, QuarantineReason)
  /// The delivery of an item to a target was given up until a person asks for it again.
  case parked(ItemID, TargetID)
  /// An item that was parked waits again.
  case waiting(ItemID)
  /// An item without a receipt was removed: to make room, or by a person.
  case evicted(ItemID)
  /// Stable storage failed; the service has to restart. Nothing follows it but deliveries' end.
  case failed(SpoolError)
}
