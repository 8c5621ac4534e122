extension Spool {
  /// Gives a delivery up until a person asks for it again, and ends the claim.
  ///
  /// It is for an item that a target will never take, so that the others go on. The attempt that
  /// led to it is counted here, with the item's own faults; ``recordAttempt(_:failure:target:isItemFault:)``
  /// is not to be called for it too. The files stay.
  ///
  /// - Throws: ``SpoolError``: `unknownItem`, `notWaiting`, `full`, `failed`, `indexDamaged`,
  ///   `closed`. The claim ends all the same.
  public func park(
    _ id: ItemID, failure: DeliveryFailure, target: TargetID = .primary
  ) throws(SpoolError) {
    try perform { storage throws(SpoolError) in
      try storage.park(id, target: target, failure: failure)
    }
  }

  /// Has the parked deliveries of an item wait again, in their old place in the order.
  ///
  /// The item's own faults are counted from zero again. A quarantined item is hashed, wherever its
  /// file is by now, and waits for every target again when it is what was stored.
  ///
  /// - Parameters:
  ///   - id: the item.
  ///   - target: only the delivery to this one; `nil` for all.
  /// - Throws: ``SpoolError``: `unknownItem`, `notWaiting` when nothing of it is parked or it is
  ///   quarantined and not intact, `shortOfResources`, `full`, `failed`, `indexDamaged`, `closed`.
  public func retry(_ id: ItemID, target: TargetID? = nil) throws(SpoolError) {
    try perform { storage throws(SpoolError) in try storage.retry(id, target: target) }
  }

  /// Has all parked deliveries wait again.
  ///
  /// - Parameter target: only those to this one; `nil` for all.
  /// - Returns: how many deliveries.
  /// - Throws: ``SpoolError``: `full`, `failed`, `indexDamaged`, `closed`.
  /// - Complexity: O(parked deliveries), with one commit for 500 items; other calls go on in between.
  @discardableResult
  public func retryAllParked(target: TargetID? = nil) async throws(SpoolError) -> Int {
    var count = 0
    var last: Int64 = 0
    while true {
      let slice = try perform { [last] storage throws(SpoolError) in
        try storage.retryParked(target: target, after: last)
      }
      guard let slice else { return count }
      count += slice.count
      last = slice.last
      await Task.yield()
    }
  }

  /// Keeps what the uploader needs to go on with a delivery after a restart; `nil` forgets it.
  ///
  /// It is on stable storage when this returns, is given with ``Delivery/resumeState``, and is
  /// forgotten with the receipt.
  ///
  /// - Parameters:
  ///   - text: for example an upload ID and the parts that are done; at most 8192 bytes of UTF-8.
  ///   - id: the item.
  ///   - target: the target.
  /// - Throws: ``SpoolError``: `invalid` when the text is too long, `unknownItem`, `notWaiting`,
  ///   `full`, `failed`, `indexDamaged`, `closed`.
  public func keepResumeState(
    _ text: String?, of id: ItemID, target: TargetID = .primary
  ) throws(SpoolError) {
    try perform { storage throws(SpoolError) in
      try storage.keepResumeState(text, of: id, target: target)
    }
  }

  /// Keeps a target's pause, so that a restart of the service does not end it; `nil` forgets it.
  ///
  /// It is kept as an instant on `CLOCK_BOOTTIME` of this boot and means nothing in another.
  ///
  /// - Throws: ``SpoolError``: `full`, `failed`, `indexDamaged`, `closed`.
  public func keepPause(
    _ pause: KeptPause?, target: TargetID = .primary
  ) throws(SpoolError) {
    try perform { storage throws(SpoolError) in
      try storage.keepPause(pause, target: target)
    }
  }

  /// What is left of a target's pause; `nil` when it is over, forgotten or of another boot.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  public func keptPause(target: TargetID = .primary) throws(SpoolError) -> KeptPause? {
    try look { storage throws(SpoolError) in try storage.keptPause(target: target) }
  }

  /// Notes that the wall clock of this boot is known to be right.
  ///
  /// From then on ``Delivery/captured`` and ``ItemRecord/captured`` of pictures of this boot show
  /// the exact wall time, also of those taken before, unless they had one of a synchronised clock
  /// already. Remote names and the order stay as they are. It is on stable storage when this
  /// returns and outlives a lost index; a later call replaces an earlier one.
  ///
  /// - Parameters:
  ///   - offset: what is to be added to an instant on `CLOCK_MONOTONIC` for nanoseconds since 1970.
  ///   - source: who says so, for example `timesyncd`; 1 to 64 bytes.
  /// - Throws: ``SpoolError``: `invalid`, `full`, `failed`, `indexDamaged`, `closed`.
  public func noteSynchronised(
    wallMinusMonotonicNanoseconds offset: Int64, source: String
  ) throws(SpoolError) {
    try perform { storage throws(SpoolError) in
      try storage.noteSynchronised(offset: offset, source: source)
    }
  }
}
