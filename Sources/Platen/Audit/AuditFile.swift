import API
import Devices
import Foundation
import Logging

/// Keeps the audit log beside the spool: what was done over the API, by whom, and how it ended.
///
/// The file is bounded: when it is full it becomes the predecessor, of which one is kept. A file in
/// which writing failed in a way that leaves its contents in doubt is put aside as
/// `audit.jsonl.broken`, and another is begun. The actor has an executor of its own, because its
/// calls wait for the disk.
actor AuditFile: AuditLog {
  /// The file's name.
  static let name = "audit.jsonl"
  /// What its predecessor is called.
  static let predecessorName = "audit.1.jsonl"
  /// What a file is called that is not used any more because something is wrong with it.
  static let brokenName = "audit.jsonl.broken"
  /// How long a file becomes at most, in bytes.
  static let maximumBytes: Int64 = 1 << 20

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private nonisolated let executor = DispatchQueueExecutor(label: "platen.audit")
  private let directory: String
  private let maximumBytes: Int64
  private let clock: any MonotonicClock
  private let wall: @Sendable (MonotonicInstant) -> WallClockReading
  private let bootID: String?
  private let synchronize: @Sendable (Int32) -> Int32
  private let logger: Logger
  private var file: LineFile?

  /// Makes a log in a directory that exists; nothing is opened before the first entry.
  ///
  /// - Parameters:
  ///   - maximumBytes: how long a file becomes at most, longer than a line.
  ///   - synchronize: brings what was written to stable storage; `fdatasync`, but in tests.
  init(
    directory: String, maximumBytes: Int64 = AuditFile.maximumBytes,
    clock: any MonotonicClock = SystemMonotonicClock(), bootID: String? = BootID.current,
    wall: @escaping @Sendable (MonotonicInstant) -> WallClockReading = {
      WallClock().reading(at: $0)
    },
    synchronize: @escaping @Sendable (Int32) -> Int32 = { fdatasync($0) }, logger: Logger
  ) {
    self.directory = directory
    self.maximumBytes = maximumBytes
    self.clock = clock
    self.bootID = bootID
    self.wall = wall
    self.synchronize = synchronize
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
    for name in [Self.name, Self.predecessorName] where entries.count < limit {
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
      try putAside(as: Self.predecessorName)
      try open()
    }
    do throws(DeviceError) {
      try file?.append(line)
    } catch  where file?.isBroken == true {
      logger.error(
        "audit log cannot be trusted any more, another is begun",
        metadata: ["file.path": "\(directory)/\(Self.name)", "error": "\(error)"])
      try putAside(as: Self.brokenName)
      try open()
      try file?.append(line)
    }
  }

  /// Opens the file; what cannot be opened makes way for another.
  private func open() throws(DeviceError) {
    do throws(DeviceError) {
      try openWhatIsThere()
    } catch  where error.code == .outOfMemory {
      throw error
    } catch {
      // Where it cannot be put aside either, what is wrong is what was wrong first.
      do throws(DeviceError) { try putAside(as: Self.brokenName) } catch _ { throw error }
      logger.error(
        "audit log cannot be used and is put aside, another is begun",
        metadata: ["file.path": "\(directory)/\(Self.name)", "error": "\(error)"])
      try openWhatIsThere()
    }
  }

  private func openWhatIsThere() throws(DeviceError) {
    let opened = try LineFile(
      directory: directory, name: Self.name, room: maximumBytes, synchronize: synchronize)
    if opened.repairedBytes > 0 {
      logger.notice(
        "last entry of the audit log was cut off with the power",
        metadata: ["file.path": "\(opened.path)", "file.bytes": "\(opened.repairedBytes)"])
    }
    file = consume opened
  }

  private func putAside(as name: String) throws(DeviceError) {
    file = nil
    try DurableFile(directory: directory, name: Self.name).rename(to: name)
  }
}
