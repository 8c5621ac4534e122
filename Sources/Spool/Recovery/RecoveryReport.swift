/// What the start has found and put in order.
public struct RecoveryReport: Sendable, Hashable {
  /// The database was missing, damaged or foreign, and has been rebuilt from the files.
  public var rebuiltIndex = false
  /// Why the old database was put aside as `queue.db.broken`.
  public var brokenIndex: String?
  /// Hidden `.part` files of a crash that were removed; none was acknowledged.
  public var removedParts = 0
  /// Pictures that had no row and have one now.
  public var adopted = 0
  /// Of these, pictures whose sidecar was missing or damaged, so that their metadata are unknown.
  public var adoptedWithoutSidecar = 0
  /// Sidecars of queued pictures that were missing and have been written again.
  public var restoredSidecars = 0
  /// Pictures that were taken out of the queue: damaged or missing.
  public var quarantined = 0
  /// Quarantined pictures whose files are back and intact, and which wait again.
  public var restored = 0
  /// Pictures in the quarantine that had no row and have one now.
  public var foundQuarantined = 0
  /// Sidecars without a picture, moved to the quarantine.
  public var lonelySidecars = 0
  /// Items that every target has, whose files were still there and have been removed.
  public var removedDelivered = 0
  /// Items that were given up, whose files were still there and have been removed.
  public var removedEvicted = 0
  /// Files and directories that could not be read, moved or removed; the next start tries again.
  public var leftBehind = 0
  /// Presses of an earlier run that were in flight and have an outcome now.
  public var settledPresses = 0
  /// Names that are not the spool's; they are left alone.
  public var foreign = 0

  /// Whether there was nothing to do.
  public var isClean: Bool {
    var others = self
    others.foreign = 0
    others.rebuiltIndex = false
    return others == RecoveryReport()
  }
}
