import GRDB

extension ItemIndex {
  /// Copies the log that another process has left into the database, and empties the log.
  ///
  /// The earlier process may have ended because an `fsync` of the log failed. The kernel then treats the
  /// log's pages as clean and still serves them, so a later `fsync` of the log proves nothing.
  /// Pages that are copied into the database are forced out again. On a full disk the log stays, as
  /// at any other time.
  ///
  /// - Throws: ``SpoolError``: `failed` when not every page was copied; `indexDamaged` for a
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
      // The log is not forced out again, not even at the close.
      LogLength.keepAtClose(database)
      throw Self.spoolError(error, path: path)
    }
  }
}
