/// Everything that the index knows of one item.
public struct ItemRecord: Sendable, Hashable {
  /// The spool's name for it.
  public var id: ItemID
  /// The place in the order of all items, for ``Spool/items(state:limit:before:)``.
  ///
  /// It is the ID's number but for a picture that was brought in from elsewhere.
  public var sequence: Int64
  /// Where it is on its way.
  public var state: ItemState
  /// Why it was quarantined.
  public var quarantineReason: QuarantineReason?
  /// Why it was removed without a receipt.
  public var evictionReason: EvictionReason?
  /// The image's path while it is stored or parked; the file of a delivered item is gone.
  public var path: String
  /// The image's length in bytes.
  public var byteCount: Int64
  /// The SHA-256 of the image in lower-case hexadecimal digits.
  public var sha256: String
  /// The name under which it is delivered.
  public var remoteName: String
  /// The earliest item with the same content, if there was one; its row may have been pruned.
  public var duplicateOf: ItemID?
  /// What is known of the picture, as it was when it was stored.
  public var metadata: ItemMetadata
  /// When the picture was taken, as well as it is known by now.
  public var captured: CaptureTime
  /// How each delivery stands.
  public var deliveries: [DeliveryRecord]
}

/// How many items are in which state; every item is in exactly one.
public struct SpoolCounts: Sendable, Hashable {
  /// Waiting, with no delivery under way.
  public var stored: Int
  /// Being delivered now.
  public var delivering: Int
  /// Delivered to every target since the index was made, also those that have been pruned.
  public var delivered: Int
  /// Taken out of the queue.
  public var quarantined: Int
  /// The bytes of the items that have files: waiting, being delivered or parked.
  public var bytesWaiting: Int64
  /// Given up until a person asks for them again.
  public var parked = 0
  /// Removed without a receipt since the index was made, also those that have been pruned.
  public var evicted = 0
}
