extension SpoolStorage {
  /// The maximum number of items that one commit returns to the queue.
  static let retryBatch = 500

  /// Parks a delivery until a person asks for a retry, and ends the claim in any case.
  func park(_ id: ItemID, target: TargetID, failure: DeliveryFailure) throws(SpoolError) {
    release(id, target: target)
    _ = try withBallast { () throws(SpoolError) in
      try index.park(id, target: target, failure: failure)
    }
    events.append(.parked(id, target))
  }

  /// Retries the parked deliveries of an item, or all deliveries of an intact quarantined one.
  func retry(_ id: ItemID) throws(SpoolError) {
    if let row = try index.row(id), row.state == .quarantined {
      guard try !restore(row) else { return }
      throw SpoolError(
        .notWaiting, id.description, "is quarantined and no file of it is what was stored",
        cause: row.reason)
    }
    try withBallast { () throws(SpoolError) in try index.retry(id) }
    events.append(.waiting(id))
  }

  /// Returns parked deliveries to the queue, as many as one commit takes.
  ///
  /// - Returns: the number of deliveries and the last row; `nil` when there was none.
  func retryParked(after last: Int64) throws(SpoolError) -> (count: Int, last: Int64)? {
    let slice = try withBallast { () throws(SpoolError) in
      try index.retryParked(after: last, limit: Self.retryBatch)
    }
    guard let slice else { return nil }
    events += slice.items.map(SpoolEvent.waiting)
    return (slice.deliveries, slice.last)
  }

  /// Keeps the end of a target's pause, as an instant of this boot.
  func keepPause(_ pause: KeptPause?, target: TargetID) throws(SpoolError) {
    let now = environment.bootTimeNanoseconds()
    let kept = pause.map { pause in
      (
        ends: CaptureTime.sum(now, max(0, pause.remainingNanoseconds)) ?? .max,
        failure: pause.failure
      )
    }
    try withBallast { () throws(SpoolError) in try index.keepPause(kept, target: target) }
  }

  /// Returns the rest of a target's pause.
  func keptPause(target: TargetID) throws(SpoolError) -> KeptPause? {
    guard let (ends, failure) = try index.pause(target: target) else { return nil }
    let remaining = ends - environment.bootTimeNanoseconds()
    return remaining > 0 ? KeptPause(remainingNanoseconds: remaining, failure: failure) : nil
  }

  /// Writes the offset between the clocks of this boot.
  ///
  /// See ``Spool/noteSynchronized(wallMinusMonotonicNanoseconds:source:)``.
  func noteSynchronized(offset: Int64, source: String) throws(SpoolError) {
    guard (1...64).contains(source.utf8.count) else {
      throw SpoolError(.invalid, source, "is no source of time, 1 to 64 bytes")
    }
    let now = SynchronizedBoot(
      number: boot, bootID: bootID, wallMinusMonotonicNanoseconds: offset, source: source)
    guard !boots.boots.contains(now) else { return }
    var changed = boots
    changed.add(now)
    try changed.write(to: layout.root, files: environment.files)
    boots = changed
    try withBallast { () throws(SpoolError) in try index.keep([now]) }
  }
}
