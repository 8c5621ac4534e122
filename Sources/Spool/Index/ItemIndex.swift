import GRDB
import Glibc

/// The queue's rows in `queue.db`: one connection, WAL, every commit forced to stable storage.
///
/// The database is an index of the files and can be rebuilt from them, except for receipts and
/// attempts. Each commit also prunes the history a little; see ``History``.
final class ItemIndex {
  /// The reason why a database was not opened.
  enum OpenFailure: Error, Equatable {
    /// Another connection has the database open.
    case locked
    /// A newer version wrote the database, which stays unchanged.
    case newer(Int64)
    /// The file is no database, is damaged, or has tables that are not the spool's.
    case broken(String)
    /// The disk has no room for the writes of the start.
    case full(String)
    /// The log that another process has left cannot be copied back.
    case failed(String)
    /// The system refuses to open the database, or a setting had no effect.
    case unusable(String)
  }

  /// The number of pages after which the log is copied back into the database.
  static let logLimit = 256

  let path: String
  private let queue: DatabaseQueue
  /// The log's length; declared after the connection, so that it outlives the connection.
  private let log = LogLength()
  /// Whether the medium has failed under the database; the close then leaves the log as it is.
  private var hasFailed = false
  let files: any FileSystem
  /// `CLOCK_MONOTONIC`, for the audit.
  let monotonicNanoseconds: @Sendable () -> Int64
  /// Whether no process of this boot has opened the database before.
  private(set) var isNewBoot = false
  /// The number of this boot; without a boot ID, the number of the latest known boot.
  private(set) var boot: Int64
  /// The numbers of deliveries that wait or are parked, as the last commit has left them.
  private(set) var deliveries: DeliveryTally = [:]
  var history: History
  /// Presses that wait to be written.
  let intake = PressIntake()
  /// The number of finished presses that stay in the ledger.
  let pressLimit: Int

  /// Opens the database, makes the tables of an empty one and migrates an older version.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - files: the file system, which sees the commits.
  ///   - limits: the numbers that an empty database continues from.
  ///   - bootID: the kernel's ID of this boot; `nil` leaves the boot as `limits` have it.
  ///   - lastBoot: the largest boot number that is known from outside the database.
  ///   - wholeCheckPages: the number of pages up to which everything is checked; see
  ///     ``IndexCheck``.
  ///   - historyItems: the number of rows of removed items that stay.
  ///   - pressLimit: the number of finished presses that stay.
  ///   - reason: the reason why an old database was set aside, for the new database's audit.
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
      // Set before the first read, the mode keeps the log's index in memory and not in a -shm file.
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
      deliveries = try queue.read { try Self.deliveryTally($0) }
    } catch let failure as OpenFailure {
      throw failure
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED { throw .locked }
      if error.isContradiction { throw .broken(error.spoken) }
      if error.resultCode == .SQLITE_FULL { throw .full(error.spoken) }
      if error.resultCode == .SQLITE_READONLY, Self.isWritable(path, files) {
        // SQLite reports an unknown version in the header as write protection.
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
    } catch let error as FileSystemError {
      throw error.kind == .noRoom ? .full(error.message) : .unusable(error.message)
    } catch {
      throw .unusable("\(error)")
    }
  }

  /// Makes missing tables or migrates an older version, in one transaction.
  ///
  /// The boot is set before any other commit, because later events belong to it.
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
    // The index was not closed. Whatever the reason is, nothing more is written.
    try? close(keepingLog: true)
  }

  /// Closes the connection; the log is copied back once more, unless the medium has failed.
  ///
  /// - Parameter isLogKept: whether the log is left as it is.
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

  /// Returns the current settings of the connection.
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
  ///   afterwards; the errors of `body`.
  func commit<Value>(
    _ commit: Commit, _ body: (Database) throws -> Value
  ) throws(SpoolError) -> Value {
    let isOwnCommit = if case .presses = commit { true } else { false }
    let presses = intake.take(
      isOwnCommit ? Self.pressBatch : Self.carriedPresses, isOwnCommit: isOwnCommit)
    var isWritten = false
    do {
      let (value, purged, tally) = try write(commit, presses, body)
      isWritten = true
      if let tally { deliveries = tally }
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

  /// Runs a transaction that also writes presses and prunes the history.
  ///
  /// If a page of the old history cannot be read, SQLite rolls everything back. The transaction
  /// then runs once more without pruning, and pruning stops until the next start.
  private func write<Value>(
    _ commit: Commit, _ presses: PressQueue.Batch, _ body: (Database) throws -> Value
  ) throws -> (value: Value, purged: Int, deliveries: DeliveryTally?) {
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
        let tally = commit.changesQueues ? try Self.deliveryTally(database) : nil
        try files.willCommit(commit)
        return (value, purged, tally)
      }
    } catch  where isPruning && Self.spoolError(error, path: path).code == .failed {
      history.mayPrune = false
      return try write(commit, presses, body)
    }
  }

  /// Copies a long log back into the database; the next commit restarts the log.
  ///
  /// SQLite's own checkpoint would hide a failed `fsync`, and the next `fsync` would succeed and
  /// prove nothing. A full disk is no fault: the log keeps everything, and the next commit retries.
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

  /// Runs a read.
  ///
  /// Many rows are read with a cursor: a row that was copied is searched by name for each column.
  func read<Value>(_ body: (Database) throws -> Value) throws(SpoolError) -> Value {
    do {
      return try queue.read(body)
    } catch {
      throw Self.spoolError(error, path: path)
    }
  }

  /// Changes temporary tables of this connection, which never reach the disk.
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
