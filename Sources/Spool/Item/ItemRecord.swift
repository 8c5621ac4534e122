/// The index's complete record of one item.
package struct ItemRecord: Sendable, Hashable {
  /// The item's ID.
  package var id: ItemID
  /// The place in the order of all items, for ``Spool/items(state:limit:before:)``.
  ///
  /// The place is the ID's number, except for a picture from elsewhere.
  package var sequence: Int64
  /// The item's state.
  package var state: ItemState
  /// The reason why the item was quarantined.
  package var quarantineReason: QuarantineReason?
  /// The reason why the item was removed without a receipt.
  package var evictionReason: EvictionReason?
  /// The image's path while it is stored or parked; the file of a delivered item is gone.
  package var path: String
  /// The image's length in bytes.
  package var byteCount: Int64
  /// The SHA-256 of the image in lower-case hexadecimal digits.
  package var sha256: String
  /// The name under which the item is delivered.
  package var remoteName: String
  /// The earliest item with the same content, if there was one; its row may have been pruned.
  package var duplicateOf: ItemID?
  /// The picture's metadata, as they were when it was stored.
  package var metadata: ItemMetadata
  /// The time at which the picture was taken, as far as it is known now.
  package var captured: CaptureTime
  /// The records of the item's deliveries.
  package var deliveries: [DeliveryRecord]
}

/// The numbers of items in each state; every item is in exactly one state.
package struct SpoolCounts: Sendable, Hashable {
  /// The items that wait, with no delivery under way.
  package var stored: Int
  /// The items that are being delivered now.
  package var delivering: Int
  /// The items delivered to every target since the index was made, also pruned ones.
  package var delivered: Int
  /// The items taken out of the queue.
  package var quarantined: Int
  /// The bytes of the items that wait, are being delivered or are parked.
  package var bytesWaiting: Int64
  /// The items given up until a person asks for a retry.
  package var parked = 0
  /// The items removed without a receipt since the index was made, also pruned ones.
  package var evicted = 0
  /// The items whose final version follows; their sources are still there.
  package var proxies = 0
  /// The proxies that were kept as final pictures since the index was made.
  package var keptProxies = 0
}
