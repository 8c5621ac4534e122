extension Spool {
  /// Parks a delivery until a person asks for a retry, and ends the claim.
  ///
  /// The caller parks an item that a target will never take, so that the other items go on. This
  /// call counts the attempt that led to it, with the item's own faults. So the caller must not
  /// call ``recordAttempt(_:failure:target:isItemFault:)`` for that attempt too. The files stay.
  ///
  /// - Throws: ``SpoolError``: `unknownItem`, `notWaiting`, `full`, `failed`, `indexDamaged`,
  ///   `closed`. The claim ends even then.
  package func park(
    _ id: ItemID, failure: DeliveryFailure, target: TargetID = .primary
  ) throws(SpoolError) {
    try perform { storage throws(SpoolError) in
      try storage.park(id, target: target, failure: failure)
    }
  }

  /// Returns the parked deliveries of an item to the queue, in their old place in the order.
  ///
  /// The count of the item's own faults restarts from zero. A quarantined item is hashed wherever
  /// its file is now. An intact item waits again for every target without a receipt.
  ///
  /// - Throws: ``SpoolError``: `unknownItem`, `notWaiting` when no delivery of the item is parked,
  ///   or when the item is quarantined and not intact, `shortOfResources`, `full`, `failed`,
  ///   `indexDamaged`, `closed`.
  package func retry(_ id: ItemID) throws(SpoolError) {
    try perform { storage throws(SpoolError) in try storage.retry(id) }
  }

  /// Returns all parked deliveries to the queue.
  ///
  /// - Returns: the number of deliveries.
  /// - Throws: ``SpoolError``: `full`, `failed`, `indexDamaged`, `closed`.
  /// - Complexity: O(parked deliveries), with one commit for 500 items; other calls run in between.
  @discardableResult
  package func retryAllParked() async throws(SpoolError) -> Int {
    var count = 0
    var last: Int64 = 0
    while true {
      let slice = try perform { [last] storage throws(SpoolError) in
        try storage.retryParked(after: last)
      }
      guard let slice else { return count }
      count += slice.count
      last = slice.last
      await Task.yield()
    }
  }

  /// Keeps the state from which the uploader resumes a delivery after a restart; `nil` forgets it.
  ///
  /// The state is on stable storage when this returns. ``Delivery/resumeState`` hands the state
  /// out, and the receipt forgets it.
  ///
  /// - Parameters:
  ///   - text: the state, at most 8192 bytes of UTF-8; for example an upload ID and the done parts.
  ///   - id: the item.
  ///   - target: the target.
  /// - Throws: ``SpoolError``: `invalid` when the text is too long, `unknownItem`, `notWaiting`,
  ///   `full`, `failed`, `indexDamaged`, `closed`.
  package func keepResumeState(
    _ text: String?, of id: ItemID, target: TargetID = .primary
  ) throws(SpoolError) {
    try perform { storage throws(SpoolError) in
      try storage.keepResumeState(text, of: id, target: target)
    }
  }

  /// Keeps a target's pause, so that a restart of the service does not end it; `nil` forgets it.
  ///
  /// The pause's end is kept as an instant on `CLOCK_BOOTTIME` of this boot and means nothing in
  /// another boot.
  ///
  /// - Throws: ``SpoolError``: `full`, `failed`, `indexDamaged`, `closed`.
  package func keepPause(
    _ pause: KeptPause?, target: TargetID = .primary
  ) throws(SpoolError) {
    try perform { storage throws(SpoolError) in
      try storage.keepPause(pause, target: target)
    }
  }

  /// Returns the rest of a target's pause; `nil` when it is over, forgotten or of another boot.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, `closed`.
  package func keptPause(target: TargetID = .primary) throws(SpoolError) -> KeptPause? {
    try look { storage throws(SpoolError) in try storage.keptPause(target: target) }
  }

  /// Notes that the wall clock of this boot is known to be right.
  ///
  /// From then on, ``Delivery/captured`` and ``ItemRecord/captured`` show the exact wall time of
  /// all pictures of this boot. A picture that already has the time of a synchronized clock keeps
  /// it. Remote names and the order stay as they are. The offset is on stable storage when this
  /// returns and outlives a lost index. A later call replaces an earlier one.
  ///
  /// - Parameters:
  ///   - offset: the wall clock since 1970 minus `CLOCK_MONOTONIC`, in nanoseconds.
  ///   - source: the source of the offset, for example `timesyncd`; 1 to 64 bytes.
  /// - Throws: ``SpoolError``: `invalid`, `full`, `failed`, `indexDamaged`, `closed`.
  package func noteSynchronized(
    wallMinusMonotonicNanoseconds offset: Int64, source: String
  ) throws(SpoolError) {
    try perform { storage throws(SpoolError) in
      try storage.noteSynchronized(offset: offset, source: source)
    }
  }
}
