extension Spool {
  /// Compares every file with its row and every row with its files.
  ///
  /// Without `repair` nothing is changed, and each finding names the repair. A repair takes the
  /// same steps as the start after a crash. It adopts pictures without a row and moves damaged
  /// files to the quarantine. It restores intact files from there, writes missing sidecars and
  /// removes leftovers of items whose rows say that they are gone. A repair never removes a picture
  /// of the queue. If the sidecar describes a picture and the row does not, the index is damaged.
  /// The check then ends, also without `repair`, and the next start rebuilds the index.
  ///
  /// The check works in slices, and other calls run in between. Their changes are no findings.
  ///
  /// - Parameters:
  ///   - repair: whether to repair.
  ///   - hash: whether to read and hash every image; otherwise only its length is compared.
  ///   - progress: a closure that gets the findings so far after each slice, on the spool's actor.
  /// - Throws: ``SpoolError``: `shortOfResources`, `full`, `failed`, `indexDamaged`, `closed`;
  ///   `CancellationError` is not thrown: a canceled check returns its findings so far.
  /// - Complexity: O(files + rows of the history), with `hash` O(bytes). One slice is at most: 64
  ///   rows or 8 MiB of images and one image more; 256 files and the rest of a shard; all files of
  ///   the quarantine; or 1000 rows to count. A file of more than 8 MiB that waits or lies in the
  ///   quarantine is hashed in no slice, but while other calls run.
  package func verify(
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
        for row in cursor.takeLong() {
          let itemFiles = try look { storage throws(SpoolError) in storage.itemFiles }
          let damage = await checks.damage(row, itemFiles)
          let settle = { (storage: SpoolStorage) throws(SpoolError) in
            try storage.settleLong(row, damage, &verification, repair: repair)
          }
          if repair { try perform(settle) } else { try look(settle) }
        }
        for (row, paths) in cursor.takeLongQuarantined() {
          let itemFiles = try look { storage throws(SpoolError) in storage.itemFiles }
          let intact = await checks.intact(row, among: paths, itemFiles)
          let settle = { (storage: SpoolStorage) throws(SpoolError) in
            try storage.settleLong(row, intact: intact, &verification, repair: repair)
          }
          if repair { try perform(settle) } else { try look(settle) }
        }
      } catch {
        // The history may be damaged in a place that only this check reads.
        if error.code == .indexDamaged { fail(with: error) }
        throw error
      }
      progress(verification)
      await Task.yield()
    }
    return verification
  }
}
