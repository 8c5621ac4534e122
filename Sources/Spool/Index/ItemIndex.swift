import GRDB

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The queue's rows in `queue.db`: one connection, WAL, every commit forced to stable storage.
///
/// It is an index of the files and can be rebuilt from them, except for receipts and attempts. Each
/// commit also tidies the history a little; see ``History``.
final class ItemIndex {
  /// Why a database was not opened.
  enum OpenFailure: Error, Equatable {
    /// Somebody else has it open.
    case locked
    /// It was written by a newer version; it was not changed.
    case newer(Int64)
    /// It is no database, it is damaged, or its tables are not ours.
    case broken(String)
    /// The disk has no room for what has to be written at the start.
    case full(String)
    /// What another process has left in the log cannot be copied back.
    case failed(String)
    /// The system does not let it be opened, or a setting did not take.
    case unusable(String)
  }

  /// Pages of the log after which it is copied back into the database.
  static let logLimit = 256

  let path: String
  private let queue: DatabaseQueue
  /// After the connection, which it outlives.
  private let log = LogLength()
  /// Whether the medium has failed under the database: nothing is forced out again then.
  private var hasFailed = false
  let files: any FileSystem
  /// `CLOCK_MONOTONIC`, for the audit.
  let monotonicNanoseconds: @Sendable () -> Int64
  /// Whether no process of this boot has opened the database before.
  private(set) var isNewBoot = false
  /// The number of this boot; without its ID that of the latest known.
  private(set) var boot: Int64
  var history: History
  /// Presses that wait to be written.
  let intake = PressIntake()
  /// How many finished presses stay in the ledger.
  let pressLimit: Int

  /// Opens the database, makes its tables when it is empty and makes an older version's over.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - files: sees the commits.
  ///   - limits: what an empty database counts on from.
  ///   - bootID: the kernel's ID of this boot; `nil` leaves the boot as `limits` have it.
  ///   - lastBoot: the largest number of any boot, as far as others than the database know.
  ///   - wholeCheckPages: up to how many pages the whole database is checked; see ``IndexCheck``.
  ///   - historyItems: how many rows of items that are gone stay.
  ///   - pressLimit: how many finished presses stay.
  ///   - reason: why an old database was put aside, for the new one's audit.
  ///   - monotonicNanoseconds: `CLOCK_MONOTONIC`.
  /// - Throws: ``OpenFailure``.
  init(
    path: String, files: any FileSystem, continuing limits: NumberLimits = NumberLimits(),
    bootID: String? = nil, lastBoot: Int64 = 0, wholeCheckPages: Int = IndexCheck.wholePages,
    historyItems: Int = 100_000, pressLimit: Int = 20_000, rebuiltBecause reason: String? = nil,
    monotonicNanoseconds: @escaping @Sendable () -> Int64 = SpoolEnvironment.now(CLOCK_MONOTONIC)
  ) throws(OpenFailure) {
    self.path = path
    self.files = files
    self.monotonicNanoseconds = monotonicNanoseconds
    boot = limits.boot
    self.pressLimit = pressLimit
    history = History(limit: historyItems)
    do {
      var configuration = Configuration()
      configuration.label = "platen.spool.index"
      // Before the first read, so that the log's index is kept in memory and not in a -shm file.
      configuration.prepareDatabase { database in
        _ = try Row.fetchAll(database, sql: "PRAGMA locking_mode = EXCLUSIVE")
      }
      queue = try DatabaseQueue(path: path, configuration: configuration)
      let pragmas = try queue.writeWithoutTransaction { database in
        let content = try IndexSchema.content(database)
        if case .newer(let version) = content { throw OpenFailure.newer(version) }
        if content == .foreign { throw OpenFailure.broken("its tables are not the spool's") }
        if let problem = try IndexCheck.problem(database, content, wholePages: wholeCheckPages) {
          throw OpenFailure.broken(problem)
        }
        try Pragmas.set(database)
        log.watch(database)
        try copyBackFound(database)
        return try Pragmas.read(database)
      }
      guard pragmas == .required else {
        throw OpenFailure.unusable("its settings are \(pragmas), not \(Pragmas.required)")
      }
      try prepare(limits, reason, bootID, max(lastBoot, limits.boot))
    } catch let failure as OpenFailure {
      throw failure
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED { throw .locked }
      if error.isContradiction { throw .broken(error.spoken) }
      if error.resultCode == .SQLITE_FULL { throw .full(error.spoken) }
      if error.resultCode == .SQLITE_READONLY, Self.isWritable(path, files) {
        // SQLite takes a version in the header that it does not know for write protection.
        throw .broken(error.spoken)
      }
      if error.isUnreadable, files.canKeepFile(beside: path) { throw .broken(error.spoken) }
      throw .unusable(error.spoken)
    } catch let error as SpoolError {
      switch error.code {
      case .full: throw .full(error.cause ?? error.problem)
      case .indexDamaged: throw .broken(error.cause ?? error.problem)
      case .failed: throw .failed(error.cause ?? error.problem)
      default: throw .unusable(error.cause ?? error.problem)
      }
    } catch let error as SystemError {
      throw error.kind == .noRoom ? .full(error.message) : .unusable(error.message)
    } catch {
      throw .unusable("\(error)")
    }
  }

  /// Makes the tables that are missing or of an older version, in one transaction.
  ///
  /// The boot is settled before anything else is written: what happens now has happened in it.
  private func prepare(
    _ limits: NumberLimits, _ reason: String?, _ bootID: String?, _ lastBoot: Int64
  ) throws {
    switch try queue.read({ try IndexSchema.content($0) }) {
    case .empty:
      try queue.write { database in
        try IndexSchema.create(database, continuing: limits)
        if let bootID {
          boot = try Self.addBoot(bootID, after: lastBoot, database)
          isNewBoot = bootID != limits.bootID
        }
        if let reason { try audit(.rebuilt, detail: reason, database) }
        try files.willCommit(.schema)
      }
      files.didCommit(.schema)
    case .older(let version):
      try queue.write { database in
        try IndexSchema.migrate(database, from: version, presses: pressLimit)
        try files.willCommit(.migrate)
      }
      files.didCommit(.migrate)
    case .current, .foreign, .newer: break
    }
    guard let bootID else { return }
    if let known = try queue.read({ try Self.boot(bootID, $0) }) { return boot = known }
    isNewBoot = true
    boot = try commit(.boot) { try Self.addBoot(bootID, after: lastBoot, $0) }
  }

  deinit {
    // It was not closed: whatever the reason, nothing more is written.
    try? close(keepingLog: true)
  }

  /// Closes the connection; the log is copied back once more, unless the medium has failed.
  ///
  /// - Parameter isLogKept: whether it is not.
  func close(keepingLog isLogKept: Bool = false) throws(SpoolError) {
    do {
      if hasFailed || isLogKept {
        queue.writeWithoutTransaction { LogLength.keepAtClose($0) }
      }
      try queue.close()
    } catch {
      throw Self.spoolError(error, path: path)
    }
  }

  /// The settings of the connection as they are now.
  func pragmas() throws(SpoolError) -> Pragmas {
    do {
      return try queue.writeWithoutTransaction { try Pragmas.read($0) }
    } catch {
      throw Self.spoolError(error, path: path)
    }
  }

  /// Runs a transaction and returns after its commit is on stable storage.
  ///
  /// - Throws: ``SpoolError``: `full` when the disk is full and nothing was changed; `failed` when
  ///   it is unknown whether the commit has reached the disk, or when the log cannot be copied back
  ///   after it has; what `body` throws as such.
  func commit<Value>(
    _ commit: Commit, _ body: (Database) throws -> Value
  ) throws(SpoolError) -> Value {
    let isOwnCommit = if case .presses = commit { true } else { false }
    let presses = intake.take(
      isOwnCommit ? Self.pressBatch : Self.carriedPresses, isOwnCommit: isOwnCommit)
    var isWritten = false
    do {
      let (value, purged) = try write(commit, presses, body)
      isWritten = true
      history.committed(purged)
      intake.written(presses)
      files.didCommit(commit)
      try copyBack()
      return value
    } catch {
      let error = Self.spoolError(error, path: path)
      if !isWritten { intake.putBack(presses, isFull: error.code == .full) }
      if error.code == .failed { hasFailed = true }
      throw error
    }
  }

  /// Runs a transaction that also writes presses and tidies the history.
  ///
  /// When the medium does not give a page of the old history SQLite rolls everything back; so it is
  /// run once more without pruning, which ends until the next start.
  private func write<Value>(
    _ commit: Commit, _ presses: PressQueue.Batch, _ body: (Database) throws -> Value
  ) throws -> (value: Value, purged: Int) {
    var isPruning = false
    do {
      return try queue.write { database in
        let value = try body(database)
        try write(presses, database)
        let purged = try callPurged(database)
        isPruning = true
        try prune(database)
        try prunePresses(written: presses.entries.count, database)
        isPruning = false
        try files.willCommit(commit)
        return (value, purged)
      }
    } catch  where isPruning && Self.spoolError(error, path: path).code == .failed {
      history.mayPrune = false
      return try write(commit, presses, body)
    }
  }

  /// Copies the log back into the database when it is long; the next commit begins it anew.
  ///
  /// SQLite would do it, too, but would keep a failed `fsync` to itself and have the next one, which
  /// succeeds and proves nothing, stand for it. A full disk is no fault: the log keeps everything,
  /// and the next commit tries again.
  private func copyBack() throws {
    guard log.pageCount >= Self.logLimit else { return }
    try files.willCommit(.checkpoint)
    do {
      try queue.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
      return
    }
    files.didCommit(.checkpoint)
  }

  /// Reads.
  func read<Value>(_ body: (Database) throws -> Value) throws(SpoolError) -> Value {
    do {
      return try queue.read(body)
    } catch {
      throw Self.spoolError(error, path: path)
    }
  }

  /// Changes tables of this connection's own, of which nothing reaches the disk.
  func own<Value>(_ body: (Database) throws -> Value) throws(SpoolError) -> Value {
    do {
      return try queue.write(body)
    } catch {
      throw Self.spoolError(error, path: path)
    }
  }

  private static func isWritable(_ path: String, _ files: any FileSystem) -> Bool {
    guard let descriptor = try? files.open(path, flags: O_WRONLY, mode: 0) else { return false }
    files.close(descriptor)
    return true
  }
}
