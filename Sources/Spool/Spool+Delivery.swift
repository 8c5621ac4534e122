extension Spool {
  /// Claims the oldest stored item that waits for a target and that nobody has claimed.
  ///
  /// Several claims may be open at once. Before its bytes are sent,
  /// ``verifyForDelivery(_:)`` is to be called.
  ///
  /// - Returns: the item; `nil` when none waits.
  /// - Throws: ``SpoolError``: `failed`, `closed`.
  public func nextDelivery(target: TargetID = .primary) throws(SpoolError) -> Delivery? {
    try perform { storage throws(SpoolError) in try storage.nextDelivery(target: target) }
  }

  /// Compares an item's image with the SHA-256 that was stored, in length and content.
  ///
  /// A damaged, missing or unreadable picture is taken out of the queue and moved to `quarantine/`;
  /// the others go on.
  ///
  /// - Throws: ``SpoolError``: `unknownItem`, `notWaiting`, `shortOfResources`, `failed`, `closed`.
  /// - Complexity: O(bytes): the file is read once.
  public func verifyForDelivery(_ id: ItemID) throws(SpoolError) -> IntegrityResult {
    let (result, leftBehind) = try perform { storage throws(SpoolError) in
      try storage.verify(id)
    }
    note(leftBehind: leftBehind)
    if case .quarantined(let reason) = result { publish(.quarantined(id, reason)) }
    return result
  }

  /// Notes that an attempt failed, and ends the claim; the item stays first in the queue.
  ///
  /// - Throws: ``SpoolError``: `unknownItem`, `notWaiting`, `full`, `failed`, `closed`. The claim
  ///   ends all the same.
  public func recordAttempt(
    _ id: ItemID, failure: DeliveryFailure, target: TargetID = .primary
  ) throws(SpoolError) {
    try perform { storage throws(SpoolError) in
      storage.release(id, target: target)
      try storage.index.recordAttempt(id, target: target, failure: failure)
    }
  }

  /// Ends a claim without a result, for example when the uploader stops.
  public func release(_ id: ItemID, target: TargetID = .primary) {
    storageIfOpen?.release(id, target: target)
  }

  /// Commits the receipt of a target; when every target has the item, its files are removed.
  ///
  /// The row stays. A second call for the same target changes nothing.
  ///
  /// - Throws: ``SpoolError``: `unknownItem`, `notWaiting`, `invalid` when the receipt's SHA-256 is
  ///   not the item's, `full` when the disk has no room for the commit (the claim stays, try again),
  ///   `failed`, `closed`.
  public func complete(
    _ id: ItemID, receipt: Receipt, target: TargetID = .primary
  ) throws(SpoolError) {
    let (completion, leftBehind) = try perform { storage throws(SpoolError) in
      try storage.complete(id, target: target, receipt: receipt)
    }
    note(leftBehind: leftBehind)
    if completion == .delivered { publish(.delivered(id)) }
  }
}
