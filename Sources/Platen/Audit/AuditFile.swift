import API
// With optimisation the compiler takes `stat` for this module's.
import CDispatch
import Devices
import Foundation
import Logging

/// Keeps the audit log beside the spool: what was done over the API, by whom, and how it ended.
///
/// The file is bounded: when it is full it becomes the newest predecessor, `audit.1.jsonl`, of which
/// seven are kept, or fewer on a disk that others fill. A file in which writing failed in a way that
/// leaves its contents in doubt is put aside as `audit.jsonl.broken`, the next ones as
/// `audit.jsonl.broken.2` to `.8`, and another is begun. The actor has an executor of its own,
/// because its calls wait for the disk.
actor AuditFile: AuditLog {
  /// The file's name.
  static let name = "audit.jsonl"
  /// How many predecessors are kept.
  static let predecessorCount = 7
  /// How many files are kept that are not used any more because something is wrong with them.
  static let brokenCount = 8
  /// How long a file becomes at most, in bytes.
  static let maximumBytes: Int64 = 1 << 20

  /// What a predecessor is called.
  ///
  /// - Parameter number: 1 for the newest.
  static func predecessorName(_ number: Int) -> String { "audit.\(number).jsonl" }

  /// What a file is called that is not used any more.
  ///
  /// - Parameter number: 1 for the first.
  static func brokenName(_ number: Int) -> String {
    name + ".broken" + (number == 1 ? "" : ".\(number)")
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private nonisolated let executor = DispatchQueueExecutor(label: "platen.audit")
  private let directory: String
  private let maximumBytes: Int64
  private let clock: any MonotonicClock
  private let wall: @Sendable (MonotonicInstant) -> WallClockReading
  private let bootID: String?
  private let synchronize: @Sendable (Int32) -> Int32
  private let reserve: @Sendable (Int32, Int64) -> Int32
  private let logger: Logger
  private var file: LineFile?

  /// Makes a log in a directory that exists; nothing is opened before the first entry.
  ///
  /// - Parameters:
  ///   - maximumBytes: how long a file becomes at most, longer than a line.
  ///   - synchronize: brings what was written to stable storage; `fdatasync`, but in tests.
  ///   - reserve: sets room aside for a file; `fallocate`, but in tests.
  init(
    directory: String, maximumBytes: Int64 = AuditFile.maximumBytes,
    clock: any MonotonicClock = SystemMonotonicClock(), bootID: String? = BootID.current,
    wall: @escaping @Sendable (MonotonicInstant) -> WallClockReading = {
      WallClock().reading(at: $0)
    },
    synchronize: @escaping @Sendable (Int32) -> Int32 = { fdatasync($0) },
    reserve: @escaping @Sendable (Int32, Int64) -> Int32 = LineFile.allocate, logger: Logger
  ) {
    self.directory = directory
    self.maximumBytes = maximumBytes
    self.clock = clock
    self.bootID = bootID
    self.wall = wall
    self.synchronize = synchronize
    self.reserve = reserve
    self.logger = logger
  }

  func enter(_ note: AuditNote) async throws(APIError) {
    let now = clock.now
    let reading = wall(now)
    let entry = AuditEntry(
      time: UploadedMetadata.time(nanoseconds: reading.nanosecondsSinceEpoch),
      trust: reading.trust == .synchronized ? "synchronised" : "estimated", bootID: bootID,
      monotonicNanoseconds: now.nanoseconds, note: note)
    do {
      try append(try AuditLines.line(of: entry))
    } catch {
      throw APIError(
        .unavailable, "Nothing is done that cannot be entered into the audit log: \(error).")
    }
  }

  func entries(limit: Int) async throws(APIError) -> [AuditEntry] {
    var entries: [AuditEntry] = []
    let names = [Self.name] + (1...Self.predecessorCount).map { Self.predecessorName($0) }
    // One file at a time is in memory.
    for name in names where entries.count < limit {
      do throws(DeviceError) {
        let file = DurableFile(directory: directory, name: name)
        guard let bytes = try file.read(limit: Int(maximumBytes)) else { continue }
        entries += AuditLines.newestEntries(in: bytes, limit: limit - entries.count)
      } catch {
        throw APIError(.unavailable, "The audit log cannot be read: \(error).")
      }
    }
    return entries
  }

  private func append(_ line: [UInt8]) throws(DeviceError) {
    if file?.isRemoved ?? true { try open() }
    if let length = file?.length, length + Int64(line.count) > maximumBytes {
      try rotate()
      try open()
    }
    do throws(DeviceError) {
      try file?.append(line)
    } catch  where file?.isBroken == true {
      logger.error(
        "audit log cannot be trusted any more, another is begun",
        metadata: ["file.path": "\(directory)/\(Self.name)", "error": "\(error)"])
      try putBrokenAside()
      try open()
      try file?.append(line)
    }
  }

  /// Opens the file; what cannot be opened makes way for another.
  private func open() throws(DeviceError) {
    do throws(DeviceError) {
      try openWhatIsThere()
    } catch  where error.code == .outOfMemory || error.code == .diskFull {
      throw error
    } catch {
      // Where it cannot be put aside either, what is wrong is what was wrong first.
      do throws(DeviceError) { try putBrokenAside() } catch _ { throw error }
      logger.error(
        "audit log cannot be used and is put aside, another is begun",
        metadata: ["file.path": "\(directory)/\(Self.name)", "error": "\(error)"])
      try openWhatIsThere()
    }
  }

  private func openWhatIsThere() throws(DeviceError) {
    var opened = try openOnFullDisk()
    if opened.repairedBytes > 0 {
      logger.notice(
        "last entry of the audit log was cut off with the power",
        metadata: ["file.path": "\(opened.path)", "file.bytes": "\(opened.repairedBytes)"])
    }
    while opened.isShortOfRoom, removeOldestPredecessor() { opened.setRoomAside() }
    file = consume opened
  }

  /// Opens the file; where not even an empty one has room, the oldest predecessors make way.
  private func openOnFullDisk() throws(DeviceError) -> LineFile {
    while true {
      do throws(DeviceError) {
        return try LineFile(
          directory: directory, name: Self.name, room: maximumBytes, synchronize: synchronize,
          reserve: reserve)
      } catch {
        guard error.code == .diskFull, removeOldestPredecessor() else { throw error }
      }
    }
  }

  /// Removes the oldest predecessor, so that a disk that others fill has room for what is done now;
  /// the newest one stays.
  ///
  /// - Returns: whether one was removed.
  private func removeOldestPredecessor() -> Bool {
    let numbers = (1...Self.predecessorCount).filter { !isFree(Self.predecessorName($0)) }
    guard numbers.count > 1, let oldest = numbers.last else { return false }
    let path = directory + "/" + Self.predecessorName(oldest)
    guard unlink(path) == 0 else { return false }
    logger.warning(
      "disk is full, oldest part of the audit log is removed", metadata: ["file.path": "\(path)"])
    return true
  }

  /// Makes the full file the newest predecessor.
  ///
  /// Up to the first name that is free, or the oldest's, each predecessor takes the next name, the
  /// oldest of them first. Wherever the power cuts that short all files are there, in their order,
  /// with one name free among them; the next time it goes on from there.
  private func rotate() throws(DeviceError) {
    let last = (1...Self.predecessorCount).first { isFree(Self.predecessorName($0)) }
    for number in stride(from: last ?? Self.predecessorCount, to: 1, by: -1) {
      try DurableFile(directory: directory, name: Self.predecessorName(number - 1))
        .rename(to: Self.predecessorName(number))
    }
    try putAside(as: Self.predecessorName(1))
  }

  /// Puts a file aside that is not used any more, under a name that is free.
  ///
  /// Where none is, the shortest of the others makes way: a disk that fails again and again leaves
  /// files of a line or two, which must not cost the one with all that was entered before.
  private func putBrokenAside() throws(DeviceError) {
    let names = (1...Self.brokenCount).map { Self.brokenName($0) }
    let shortest = names.min { bytes(of: $0) < bytes(of: $1) }
    try putAside(as: names.first { isFree($0) } ?? shortest ?? Self.brokenName(1))
  }

  private func putAside(as name: String) throws(DeviceError) {
    file = nil
    try DurableFile(directory: directory, name: Self.name).rename(to: name)
  }

  /// Whether nothing has a name (`lstat`).
  private func isFree(_ name: String) -> Bool {
    var status = stat()
    return lstat(directory + "/" + name, &status) != 0 && errno == ENOENT
  }

  /// How long a file is; what is no file makes way for none.
  private func bytes(of name: String) -> Int64 {
    var status = stat()
    guard lstat(directory + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .max
    }
    return Int64(status.st_size)
  }
}
