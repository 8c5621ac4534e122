/// The findings and repairs of the start.
package struct RecoveryReport: Sendable, Hashable {
  /// Whether a missing, damaged or foreign database has been rebuilt from the files.
  package var rebuiltIndex = false
  /// The reason why the old database was set aside as `queue.db.broken`.
  package var brokenIndex: String?
  /// The number of removed `.part` files, pictures of unfinished groups, sources and entries.
  ///
  /// None of them was acknowledged. Final pictures that took their place or were removed count, too.
  package var removedParts = 0
  /// The number of pictures that had no row and have one now.
  package var adopted = 0
  /// The number of adopted pictures with a missing or damaged sidecar and so unknown metadata.
  package var adoptedWithoutSidecar = 0
  /// The number of missing sidecars of queued pictures that have been written again.
  package var restoredSidecars = 0
  /// The number of pictures taken out of the queue: damaged or missing.
  package var quarantined = 0
  /// The number of quarantined pictures whose files are back and intact and which wait again.
  package var restored = 0
  /// The number of pictures in the quarantine that had no row and have one now.
  package var foundQuarantined = 0
  /// The number of sidecars without a picture that were moved to the quarantine.
  package var lonelySidecars = 0
  /// The number of items on every target whose remaining files have been removed.
  package var removedDelivered = 0
  /// The number of evicted items whose remaining files have been removed.
  package var removedEvicted = 0
  /// The number of failed reads, moves and removals of files; the next start retries them.
  package var leftBehind = 0
  /// The number of presses of earlier runs that were in flight and have an outcome now.
  package var settledPresses = 0
  /// The number of stored recordings whose lost move among the items has been repeated.
  package var placedRecordings = 0
  /// The number of names that are not the spool's and are left alone.
  package var foreign = 0

  /// Whether there was nothing to do.
  package var isClean: Bool {
    var others = self
    others.foreign = 0
    others.rebuiltIndex = false
    return others == RecoveryReport()
  }
}
