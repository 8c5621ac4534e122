import GRDB

extension ItemIndex {
  /// Returns the spool's error for a failure of the database or of the files under it.
  static func spoolError(_ error: any Error, path: String) -> SpoolError {
    switch error {
    case let error as SpoolError: error
    case let error as FileSystemError: SpoolError(writing: error)
    case let error as DatabaseError where error.resultCode == .SQLITE_FULL:
      SpoolError(.full, path, "has no room", cause: error.spoken)
    case let error as DatabaseError where error.isContradiction:
      SpoolError(.indexDamaged, path, "contradicts itself", cause: error.spoken)
    case is RowDecodingError:
      SpoolError(
        .indexDamaged, path, "contradicts itself", cause: "a value is not what its column holds")
    case let error as DatabaseError:
      SpoolError(.failed, path, "cannot be read or written", cause: error.spoken)
    default: SpoolError(.failed, path, "cannot be read or written", cause: "\(error)")
    }
  }
}

extension DatabaseError {
  /// Whether the error concerns the database's content and not the medium.
  var isContradiction: Bool {
    switch resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_FORMAT, .SQLITE_SCHEMA,
      .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_RANGE:
      true
    default: false
    }
  }

  /// Whether a part of the database or of its log cannot be read.
  ///
  /// SQLite does not report damage that it finds between statements: in a replay of the log, and at
  /// the first page.
  var isUnreadable: Bool {
    switch extendedResultCode {
    case .SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ, .SQLITE_IOERR_CORRUPTFS: true
    default: false
    }
  }

  /// SQLite's message and number, without the statement and its arguments.
  var spoken: String {
    let words = (message ?? "no message").split(whereSeparator: \.isNewline).joined(separator: " ")
    return "\(words.prefix(200)) (SQLite \(extendedResultCode.rawValue))"
  }
}
