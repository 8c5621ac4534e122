import Glibc

/// The images that come as files from outside the spool.
///
/// The file keeps its own name until the item's row is committed. The spool's name for it is at
/// first that of an unfinished file. ``discard(_:_:)`` and the recovery remove only that name.
extension ItemFiles {
  /// The answers of `link` after which the file can still be copied.
  ///
  /// The file lies elsewhere, its file system has no second names, or the kernel protects it.
  private static let unlinkable: Set<Int32> = [EXDEV, EPERM, EACCES, EMLINK, EOPNOTSUPP, ENOSYS]

  /// The answers of `link` for which the path of the file is to blame.
  private static let faultsOfSource: Set<Int32> = [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG]

  /// Gives a file a second name in the spool; its data are on stable storage already.
  ///
  /// - Returns: whether the file has the name; otherwise it has to be copied.
  /// - Throws: ``SpoolError``: `invalid` for a file that has changed or is gone; `full`,
  ///   `shortOfResources`, `failed`. The caller must then remove leftovers with ``discard(_:_:)``.
  func link(
    _ source: SourceFile, as id: ItemID, _ fileExtension: String
  ) throws(SpoolError) -> Bool {
    let part = layout.part(id, fileExtension)
    do throws(FileSystemError) {
      try files.link(source.path, to: part)
    } catch {
      if Self.unlinkable.contains(error.number) { return false }
      throw Self.faultsOfSource.contains(error.number)
        ? SpoolError(reading: error) : SpoolError(writing: error)
    }
    try source.requireUnchanged(at: part)
    return true
  }

  /// Copies a file into the spool, piece by piece, and forces the copy to stable storage.
  ///
  /// - Returns: the SHA-256.
  /// - Throws: ``SpoolError`` as ``link(_:as:_:)``; `unreadable`.
  func copy(
    _ source: SourceFile, as id: ItemID, _ fileExtension: String
  ) throws(SpoolError) -> [UInt8] {
    let part = layout.part(id, fileExtension)
    let copy = try perform { () throws(FileSystemError) in
      try files.open(part, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o640)
    }
    defer { files.close(copy) }
    let sha256 = try source.hash { (piece) throws(SpoolError) in
      try perform { () throws(FileSystemError) in
        try files.writeAll(copy, piece.span.bytes, path: part)
      }
    }
    try perform { () throws(FileSystemError) in try files.sync(copy, path: part) }
    try source.requireUnchanged(at: source.path)
    return sha256
  }
}
