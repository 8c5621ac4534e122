import GRDB

extension ItemIndex {
  /// Copies what another process has left in the log into the database and empties the log.
  ///
  /// The process may have ended because the log could not be forced out. The kernel then takes its
  /// pages for clean and still serves them, so that a later `fsync` of the log proves nothing. What is
  /// written into the database is forced out anew. On a full disk the log stays, as at any other time.
  ///
  /// - Throws: ``SpoolError``: `failed` when not everything was copied; `DatabaseError` for a
  ///   database that contradicts itself.
  func copyBackFound(_ database: Database) throws {
    if let status = try? files.status(path + "-wal"), status.size == 0 { return }
    do {
      guard try files.status(path + "-wal") != nil else { return }
      try files.willCommit(.checkpoint)
      let (inLog, copied) = try database.checkpoint(.truncate)
      guard inLog == 0, copied == 0 else {
        throw SpoolError(
          .failed, path, "cannot be read or written",
          cause: "\(copied) of \(inLog) pages of its log were copied back")
      }
      files.didCommit(.checkpoint)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
      return
    } catch {
      // Nothing more is forced out, not even when it is closed.
      LogLength.keepAtClose(database)
      throw Self.spoolError(error, path: path)
    }
  }
}
