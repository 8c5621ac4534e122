extension Spool {
  /// Claims the oldest item that waits for a target and that is not claimed yet.
  ///
  /// Several claims may be open at once. The caller must compare the file with the item's SHA-256
  /// before it sends the bytes, and call ``verifyForDelivery(_:)`` when they differ.
  ///
  /// An exact duplicate of an earlier item is not sent again. When the target has the earlier item,
  /// the duplicate is done at once with a copy of its receipt. While the earlier item waits, the
  /// duplicate waits behind it. When the earlier item is parked, quarantined, evicted or no longer
  /// known at this target, the duplicate itself is delivered.
  ///
  /// - Parameters:
  ///   - target: the target; a target that is not configured gets nothing.
  ///   - excluded: items to skip, for example because they have just failed.
  /// - Returns: the item; `nil` when none waits.
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  /// - Complexity: O(excluded and claimed items and duplicates of them), however many items wait;
  ///   each duplicate that is done on the way adds a 32nd of a commit and the removal of its files.
  package func nextDelivery(
    target: TargetID = .primary, excluding excluded: Set<ItemID> = []
  ) throws(SpoolError) -> Delivery? {
    try perform { storage throws(SpoolError) in
      try storage.nextDelivery(target: target, excluding: excluded)
    }
  }

  /// Compares the image of an item that could not be sent with the stored length and SHA-256.
  ///
  /// A damaged or missing picture is taken out of the queue and moved to `quarantine/`, and the
  /// other items go on. A picture that the medium cannot read is taken out at the third attempt.
  /// The spool serves other calls while the file is read.
  ///
  /// - Throws: ``SpoolError``: `unknownItem`, `notWaiting`, `unreadable` the first two times,
  ///   `shortOfResources`, `full`, `failed`, `indexDamaged`, `closed`.
  /// - Complexity: O(bytes): the file is read once.
  package func verifyForDelivery(_ id: ItemID) async throws(SpoolError) -> IntegrityResult {
    while true {
      let (row, itemFiles) = try perform { storage throws(SpoolError) in
        (try storage.rowToVerify(id), storage.itemFiles)
      }
      let damage = await checks.damage(row, itemFiles)
      let result = try perform { storage throws(SpoolError) in try storage.settle(row, damage) }
      if let result { return result }
    }
  }

  /// Records a failed attempt and ends the claim; the item keeps its place in the queue.
  ///
  /// - Parameters:
  ///   - id: the item.
  ///   - failure: the failure.
  ///   - target: the target.
  ///   - isItemFault: whether the failure was the item's own, and not the target's or the
  ///     network's.
  /// - Throws: ``SpoolError``: `unknownItem`, `notWaiting`, `full`, `failed`, `indexDamaged`,
  ///   `closed`. The claim ends even then.
  package func recordAttempt(
    _ id: ItemID, failure: DeliveryFailure, target: TargetID = .primary, isItemFault: Bool = false
  ) throws(SpoolError) {
    try perform { storage throws(SpoolError) in
      try storage.recordAttempt(id, target: target, failure: failure, isItemFault: isItemFault)
    }
  }

  /// Ends a claim without a result, for example when the uploader stops.
  package func release(_ id: ItemID, target: TargetID = .primary) {
    storageIfOpen?.release(id, target: target)
  }

  /// Commits the receipt of a target; when every target has the item, its files are removed.
  ///
  /// The row stays as long as the history reaches. A second call for the same target changes
  /// nothing. On a full disk, the ballast is removed to make room for the commit. An item that was
  /// quarantined meanwhile stays quarantined, and this target has it.
  ///
  /// - Throws: ``SpoolError``: `unknownItem`, `notWaiting`, `invalid` when the receipt's SHA-256 is
  ///   not the item's, `full` when the disk has no room for the commit (the claim stays; the caller
  ///   should retry), `failed`, `indexDamaged`, `closed`.
  package func complete(
    _ id: ItemID, receipt: Receipt, target: TargetID = .primary
  ) throws(SpoolError) {
    try perform { storage throws(SpoolError) in
      try storage.complete(id, target: target, receipt: receipt)
    }
  }
}
