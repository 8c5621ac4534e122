extension Spool {
  /// Claims the oldest stored item that waits for a target and that nobody has claimed.
  ///
  /// Several claims may be open at once. Before its bytes are sent,
  /// ``verifyForDelivery(_:)`` is to be called.
  ///
  /// An exact duplicate of an earlier item is not sent twice: when the target has the earlier one,
  /// the duplicate is done at once with a copy of its receipt; while the earlier one waits, the
  /// duplicate waits behind it. When the earlier one is parked, quarantined, evicted or no longer
  /// known at this target, the duplicate is delivered itself.
  ///
  /// - Parameters:
  ///   - target: the target; one that is not configured gets nothing.
  ///   - excluded: items to be passed over, for example because they have just failed.
  /// - Returns: the item; `nil` when none waits.
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  /// - Complexity: O(excluded and claimed items and duplicates of them), however many items wait;
  ///   each duplicate that is done on the way adds a 32nd of a commit and the removal of its files.
  public func nextDelivery(
    target: TargetID = .primary, excluding excluded: Set<ItemID> = []
  ) throws(SpoolError) -> Delivery? {
    try perform { storage throws(SpoolError) in
      try storage.nextDelivery(target: target, excluding: excluded)
    }
  }

  /// Compares an item's image with the SHA-256 that was stored, in length and content.
  ///
  /// A damaged or missing picture is taken out of the queue and moved to `quarantine/`; the others go
  /// on. One that the medium does not give is taken out at the third time.
  ///
  /// - Throws: ``SpoolError``: `unknownItem`, `notWaiting`, `unreadable` the first two times,
  ///   `shortOfResources`, `full`, `failed`, `indexDamaged`, `closed`.
  /// - Complexity: O(bytes): the file is read once.
  public func verifyForDelivery(_ id: ItemID) throws(SpoolError) -> IntegrityResult {
    try perform { storage throws(SpoolError) in try storage.verify(id) }
  }

  /// Notes that an attempt failed, and ends the claim; the item stays first in the queue.
  ///
  /// - Parameters:
  ///   - id: the item.
  ///   - failure: why.
  ///   - target: the target.
  ///   - isItemFault: whether it was the item's own fault, and not the target's or the network's.
  /// - Throws: ``SpoolError``: `unknownItem`, `notWaiting`, `full`, `failed`, `indexDamaged`,
  ///   `closed`. The claim ends all the same.
  public func recordAttempt(
    _ id: ItemID, failure: DeliveryFailure, target: TargetID = .primary, isItemFault: Bool = false
  ) throws(SpoolError) {
    try perform { storage throws(SpoolError) in
      try storage.recordAttempt(id, target: target, failure: failure, isItemFault: isItemFault)
    }
  }

  /// Ends a claim without a result, for example when the uploader stops.
  public func release(_ id: ItemID, target: TargetID = .primary) {
    storageIfOpen?.release(id, target: target)
  }

  /// Commits the receipt of a target; when every target has the item, its files are removed.
  ///
  /// The row stays as long as the history reaches. A second call for the same target changes
  /// nothing. When the disk is full, the ballast makes way for the commit. An item that was
  /// quarantined meanwhile stays quarantined, and this target has it.
  ///
  /// - Throws: ``SpoolError``: `unknownItem`, `notWaiting`, `invalid` when the receipt's SHA-256 is
  ///   not the item's, `full` when the disk has no room for the commit (the claim stays, try
  ///   again), `failed`, `indexDamaged`, `closed`.
  public func complete(
    _ id: ItemID, receipt: Receipt, target: TargetID = .primary
  ) throws(SpoolError) {
    try perform { storage throws(SpoolError) in
      try storage.complete(id, target: target, receipt: receipt)
    }
  }
}
