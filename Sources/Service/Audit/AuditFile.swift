import API
// With optimization, the compiler takes `stat` for this module's function.
import CDispatch
import Devices
import Doctor
import Foundation
import Logging
import RigConfiguration
import Spool

/// The audit log beside the spool: the actions over the API, their callers and their results.
///
/// The file has a size limit. A full file becomes the newest predecessor, `audit.1.jsonl`. Seven
/// predecessors are kept, or fewer on a disk that other files fill.
///
/// If a failed write leaves the contents in doubt, the file is renamed to `audit.jsonl.broken`. The
/// next such files become `audit.jsonl.broken.2` to `.8`. A new file follows.
///
/// The actor has a separate executor, because its calls wait for the disk.
actor AuditFile: AuditLog {
  /// The file's name.
  static let name = "audit.jsonl"
  /// The number of predecessors to keep.
  static let predecessorCount = 7
  /// The number of broken files to keep.
  static let brokenCount = 8
  /// The maximum size of a file in bytes.
  static let maximumBytes: Int64 = 1 << 20

  /// Returns the name of a predecessor.
  ///
  /// - Parameter number: 1 for the newest.
  static func predecessorName(_ number: Int) -> String { "audit.\(number).jsonl" }

  /// Returns the name of a broken file.
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

  /// Makes a log in an existing directory; the first entry opens the file.
  ///
  /// - Parameters:
  ///   - maximumBytes: the maximum size of a file, more than the length of a line.
  ///   - synchronize: the function that syncs to stable storage; `fdatasync` outside tests.
  ///   - reserve: the function that reserves space for a file; `fallocate` outside tests.
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
      time: ISO8601Time.text(nanoseconds: reading.nanosecondsSinceEpoch),
      trust: Word(reading.trust), bootID: bootID,
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
    // Only one file at a time is in memory.
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

  /// Opens the file; a file that cannot be opened is renamed and replaced.
  private func open() throws(DeviceError) {
    do throws(DeviceError) {
      try openWhatIsThere()
    } catch  where error.code == .outOfMemory || error.code == .diskFull {
      throw error
    } catch {
      // If the rename fails as well, the first error is thrown.
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

  /// Opens the file; if not even an empty file fits, the oldest predecessors are removed.
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

  /// Removes the oldest predecessor, but never the newest, so that a full disk has space.
  ///
  /// - Returns: whether a predecessor was removed.
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
  /// Each predecessor takes the next name, the oldest first, up to the first free name or the
  /// oldest's. A power cut leaves all files in their order with one free name among them. The next
  /// rotation continues from there.
  private func rotate() throws(DeviceError) {
    let last = (1...Self.predecessorCount).first { isFree(Self.predecessorName($0)) }
    for number in stride(from: last ?? Self.predecessorCount, to: 1, by: -1) {
      try DurableFile(directory: directory, name: Self.predecessorName(number - 1))
        .rename(to: Self.predecessorName(number))
    }
    try putAside(as: Self.predecessorName(1))
  }

  /// Renames the broken file to a free name.
  ///
  /// If no name is free, the shortest broken file is replaced. A disk that fails repeatedly leaves
  /// files of a line or two. These must not replace the file with all earlier entries.
  private func putBrokenAside() throws(DeviceError) {
    let names = (1...Self.brokenCount).map { Self.brokenName($0) }
    let shortest = names.min { bytes(of: $0) < bytes(of: $1) }
    try putAside(as: names.first { isFree($0) } ?? shortest ?? Self.brokenName(1))
  }

  private func putAside(as name: String) throws(DeviceError) {
    file = nil
    try DurableFile(directory: directory, name: Self.name).rename(to: name)
  }

  /// Returns whether no file has a name (`lstat`).
  private func isFree(_ name: String) -> Bool {
    var status = stat()
    return lstat(directory + "/" + name, &status) != 0 && errno == ENOENT
  }

  /// Returns the size of a file; anything else counts as the largest, so that it is not replaced.
  private func bytes(of name: String) -> Int64 {
    var status = stat()
    guard lstat(directory + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .max
    }
    return Int64(status.st_size)
  }
}
