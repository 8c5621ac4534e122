extension Spool {
  /// Compares every file with its row and every row with its files.
  ///
  /// Without `repair` nothing is changed, and each finding says what a repair would do. A repair
  /// does what the start does after a crash: it adopts pictures without a row, moves what is damaged
  /// to the quarantine and what is intact out of it, writes missing sidecars and removes what is
  /// left of items whose rows say that they are gone. It never removes a picture that has no
  /// receipt. A row that does not describe its picture, where the sidecar does, is an index that is
  /// damaged: the check ends, also without `repair`, and the next start makes the index anew.
  ///
  /// It works in slices: other calls go on in between, and what they change meanwhile is no finding.
  ///
  /// - Parameters:
  ///   - repair: whether to repair.
  ///   - hash: whether to read and hash every image; otherwise only its length is compared.
  ///   - progress: is told what has been found so far after each slice, on the spool's actor.
  /// - Throws: ``SpoolError``: `shortOfResources`, `full`, `failed`, `indexDamaged`, `closed`;
  ///   `CancellationError` is not thrown: a cancelled check returns what it has found so far.
  /// - Complexity: O(files + rows of the history), with `hash` O(bytes). A slice is at most 64 rows or
  ///   8 MiB of images beyond one, or 256 files and the rest of a 256th of all, or the files of the
  ///   quarantine, or 1000 rows that are counted.
  public func verify(
    repair: Bool = false, hash: Bool = true,
    progress: @Sendable (SpoolVerification) -> Void = { _ in }
  ) async throws(SpoolError) -> SpoolVerification {
    var cursor = VerificationCursor()
    var verification = SpoolVerification()
    while cursor.position != .end, !Task.isCancelled {
      let slice = { (storage: SpoolStorage) throws(SpoolError) in
        try storage.verifySlice(&cursor, &verification, repair: repair, hash: hash)
      }
      do throws(SpoolError) {
        if repair { try perform(slice) } else { try look(slice) }
      } catch {
        // The history may be damaged where nothing else reads it.
        if error.code == .indexDamaged { fail(with: error) }
        throw error
      }
      progress(verification)
      await Task.yield()
    }
    return verification
  }
}
