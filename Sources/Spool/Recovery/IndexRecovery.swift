import Glibc

/// The opening of the index, which sets a broken one aside and makes a new one.
struct IndexRecovery {
  let layout: SpoolLayout
  let files: any FileSystem
  let historyItems: Int
  let pressLimit: Int
  /// The kernel's ID of this boot.
  let bootID: String
  let wholeCheckPages: Int
  let monotonicNanoseconds: @Sendable () -> Int64

  init(
    _ itemFiles: ItemFiles, historyItems: Int, pressLimit: Int, bootID: String,
    environment: SpoolEnvironment
  ) {
    layout = itemFiles.layout
    files = itemFiles.files
    self.historyItems = historyItems
    self.pressLimit = pressLimit
    self.bootID = bootID
    wholeCheckPages = environment.wholeCheckPages
    monotonicNanoseconds = environment.monotonicNanoseconds
  }

  /// Opens the database; sets a broken one aside as `queue.db.broken`, which replaces an older one.
  ///
  /// - Parameter limits: the numbers that a new index continues from.
  /// - Returns: the index, whether it is new, and the reason when an old one was set aside.
  func open(
    continuing limits: NumberLimits
  ) throws(SpoolError) -> (index: ItemIndex, isNew: Bool, broken: String?) {
    if try inRoot({ () throws(FileSystemError) in try exists(layout.distrust) }) {
      try inRoot { () throws(FileSystemError) in try putAside() }
      _ = try prepareFile()
      do throws(ItemIndex.OpenFailure) {
        let reason = "it contradicted itself"
        return (try make(limits, isNew: true, rebuiltBecause: reason), true, reason)
      } catch {
        throw spoolError(error)
      }
    }
    let isNew = try prepareFile()
    do throws(ItemIndex.OpenFailure) {
      return (try make(limits, isNew: isNew), isNew, nil)
    } catch .broken(let reason) {
      try inRoot { () throws(FileSystemError) in try putAside() }
      _ = try prepareFile()
      do throws(ItemIndex.OpenFailure) {
        return (try make(limits, isNew: true, rebuiltBecause: reason), true, reason)
      } catch {
        throw spoolError(error)
      }
    } catch {
      throw spoolError(error)
    }
  }

  /// Leaves a mark that makes the next opening set the database aside.
  func distrust() { Self.distrust(layout, files) }

  /// Leaves the mark, which need not be durable, because the damage would be found again.
  static func distrust(_ layout: SpoolLayout, _ files: any FileSystem) {
    guard let descriptor = try? files.open(layout.distrust, flags: O_WRONLY | O_CREAT, mode: 0o640)
    else { return }
    files.close(descriptor)
  }

  private func make(
    _ limits: NumberLimits, isNew: Bool, rebuiltBecause reason: String? = nil
  ) throws(ItemIndex.OpenFailure) -> ItemIndex {
    // An existing database knows every boot, or the bounds do.
    let lastBoot = isNew || limits.boot == 0 ? highestBoot() : 0
    return try ItemIndex(
      path: layout.database, files: files, continuing: limits, bootID: bootID, lastBoot: lastBoot,
      wholeCheckPages: wholeCheckPages, historyItems: historyItems, pressLimit: pressLimit,
      rebuiltBecause: reason,
      monotonicNanoseconds: monotonicNanoseconds)
  }

  /// Returns the largest boot number in the names of pictures; 0 when no name can be read.
  private func highestBoot() -> Int64 {
    var highest: Int64 = 0
    for shard in SpoolLayout.shards {
      for name in (try? files.list(layout.items + "/" + shard)) ?? [] {
        if case .image(let id, _) = SpoolLayout.name(name, in: shard), id.isCountable {
          highest = max(highest, id.boot)
        }
      }
    }
    for name in (try? files.list(layout.quarantine)) ?? [] {
      if let id = SpoolLayout.quarantinedID(name), ItemID.isCountable(id.boot) {
        highest = max(highest, id.boot)
      }
    }
    return highest
  }

  /// Makes an empty file, so that the file and SQLite's log get mode 0640 and not SQLite's 0644.
  private func prepareFile() throws(SpoolError) -> Bool {
    try inRoot { () throws(FileSystemError) in
      if let status = try files.status(layout.database) {
        guard status.kind == .regular else {
          throw FileSystemError(.open, layout.database, number: EINVAL)
        }
        return status.size == 0
      }
      // SQLite would replay a log without its database into the new database.
      for suffix in ["-wal", "-shm", "-journal"] where try exists(layout.database + suffix) {
        try files.rename(layout.database + suffix, to: layout.database + ".broken" + suffix)
      }
      let flags = O_WRONLY | O_CREAT | O_EXCL
      files.close(try files.open(layout.database, flags: flags, mode: 0o640))
      try files.syncDirectory(layout.root)
      return true
    }
  }

  /// Renames the database last, so that a new database never meets the old one's log.
  ///
  /// The mark is durable before the log is renamed. A database without its log looks whole but is
  /// stale, and must not be used after a crash in between. The mark is removed at the end, and the
  /// removal becomes durable with the new database.
  private func putAside() throws(FileSystemError) {
    if try !exists(layout.distrust) {
      files.close(try files.open(layout.distrust, flags: O_WRONLY | O_CREAT, mode: 0o640))
    }
    try files.syncDirectory(layout.root)
    for suffix in ["-wal", "-shm", "-journal", ""] {
      let aside = layout.database + ".broken" + suffix
      if try exists(layout.database + suffix) {
        try files.rename(layout.database + suffix, to: aside)
      } else if !suffix.isEmpty, try exists(aside) {
        try files.unlink(aside)
      }
    }
    try files.syncDirectory(layout.root)
    try files.unlink(layout.distrust)
  }

  private func exists(_ path: String) throws(FileSystemError) -> Bool {
    try files.status(path) != nil
  }

  private func inRoot<Value>(
    _ body: () throws(FileSystemError) -> Value
  ) throws(SpoolError) -> Value {
    do throws(FileSystemError) {
      return try body()
    } catch {
      let code = error.kind == .noRoom ? SpoolError.Code.full : .unusable
      throw SpoolError(code, error.path, error.call.problem, cause: error.message)
    }
  }

  private func spoolError(_ failure: ItemIndex.OpenFailure) -> SpoolError {
    switch failure {
    case .locked:
      SpoolError(.locked, layout.database, "is open in another process")
    case .newer(let version):
      SpoolError(
        .newerSchema, layout.database,
        "was written by a newer version and is left as it is",
        cause: "schema \(version), this version knows \(IndexSchema.version)")
    case .broken(let reason):
      SpoolError(.unusable, layout.database, "is damaged again after it was rebuilt", cause: reason)
    case .full(let reason):
      SpoolError(.full, layout.database, "has no room", cause: reason)
    case .failed(let reason):
      SpoolError(.failed, layout.database, "cannot be read or written", cause: reason)
    case .unusable(let reason):
      SpoolError(.unusable, layout.database, "cannot be opened as the spool's index", cause: reason)
    }
  }
}
