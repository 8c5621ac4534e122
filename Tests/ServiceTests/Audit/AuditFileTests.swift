import Devices
import Doctor
import Foundation
import Spool
import Synchronization
import TestSupport
import Testing

@testable import API
@testable import Service

/// The file of the audit log: power cuts, failing disks and changes by other processes.
@Suite(.timeLimit(.minutes(10))) struct AuditFileTests {
  private let scratch = ScratchSpool()
  private let log = RecordedLog()
  private let clock = ManualClock()

  init() throws {
    try FileManager.default.createDirectory(
      atPath: scratch.directory, withIntermediateDirectories: true)
  }

  private var path: String { scratch.directory + "/" + AuditFile.name }

  private func file(
    maximumBytes: Int64 = AuditFile.maximumBytes,
    synchronize: @escaping @Sendable (Int32) -> Int32 = { fdatasync($0) },
    reserve: @escaping @Sendable (Int32, Int64) -> Int32 = LineFile.allocate
  ) -> AuditFile {
    AuditFile(
      directory: scratch.directory, maximumBytes: maximumBytes, clock: clock, bootID: "b",
      wall: { instant in
        WallClockReading(
          nanosecondsSinceEpoch: 1_795_219_200_250_000_000 + instant.nanoseconds,
          trust: .estimated, secondsFromGMT: 0)
      }, synchronize: synchronize, reserve: reserve, logger: log.logger)
  }

  private func note(_ number: Int64, path: String = "/v1/presses") -> AuditNote {
    AuditNote(
      run: "r", request: number, stage: .began, caller: CallerReport(.unknown), method: "POST",
      path: path)
  }

  private func numbers(_ file: AuditFile, limit: Int = 1000) async throws -> [Int64] {
    try await file.entries(limit: limit).map(\.note.request)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.directory).sorted()
  }

  @Test func `entries survive a restart`() async throws {
    let first = file()
    let nothing = try await first.entries(limit: 5)
    #expect(nothing.isEmpty)
    for number in Int64(1)...3 { try await first.enter(note(number)) }
    let again = file()
    try await again.enter(note(4))
    let (all, two) = (try await again.entries(limit: 1000), try await numbers(again, limit: 2))
    #expect(all.map(\.note.request) == [4, 3, 2, 1] && two == [4, 3])
    let entry = try #require(all.first)
    #expect(entry.note == note(4))
    #expect(entry.time == "2026-11-21T01:00:00.250Z")
    #expect(entry.trust == "estimated" && entry.bootID == "b")
    #expect(entry.monotonicNanoseconds == clock.now.nanoseconds)
    #expect(try names() == [AuditFile.name])
  }

  @Test func `other users cannot read the audit log`() async throws {
    try await file().enter(note(1))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect((mode ?? 0o777) & 0o137 == 0)
  }

  /// The names of all files when the log is full.
  private static let allNames =
    (1...AuditFile.predecessorCount).map { AuditFile.predecessorName($0) } + [AuditFile.name]

  @Test func `a full file becomes the newest predecessor`() async throws {
    let file = file(maximumBytes: 2000)
    for number in Int64(1)...100 { try await file.enter(note(number)) }
    let kept = try await numbers(file)
    #expect(kept == Array((Int64(101) - Int64(kept.count)...100).reversed()))
    #expect(try names() == Self.allNames)
    // Each of the predecessors is full.
    let perFile = try lines(AuditFile.predecessorName(1))
    #expect(perFile >= 3 && kept.count >= AuditFile.predecessorCount * perFile)
    for name in try names() { #expect(try size(name) <= 2000) }
    let few = try await numbers(file, limit: perFile * 3)
    #expect(few == Array(kept.prefix(perFile * 3)), "across files, the newest first")
    let after = self.file(maximumBytes: 2000)
    try await after.enter(note(101))
    let next = try await numbers(after)
    #expect(next.first == 101 && next.dropFirst().first == 100)
  }

  /// On a full disk the oldest entries give room for new ones, as few of them as necessary.
  @Test(arguments: [3, 0]) func `a full disk costs the oldest files`(_ count: Int) async throws {
    let first = file(maximumBytes: 2000)
    for number in Int64(1)...100 { try await first.enter(note(number)) }
    let directory = scratch.directory
    let full = file(
      maximumBytes: 2000,
      reserve: { _, _ in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        guard names.count > count + 1 else { return 0 }
        errno = ENOSPC
        return -1
      })
    try await full.enter(note(101))
    let left = try names().count - 1
    #expect(left == max(1, count))
    #expect(
      log.count("oldest part of the audit log is removed") >= AuditFile.predecessorCount - left)
    let kept = try await numbers(full)
    #expect(kept == Array((Int64(102) - Int64(kept.count)...101).reversed()))
  }

  private func size(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(
      atPath: scratch.directory + "/" + name)
    return try #require(attributes[.size] as? Int)
  }

  private func lines(_ name: String) throws -> Int {
    let text = try String(contentsOfFile: scratch.directory + "/" + name, encoding: .utf8)
    return text.count { $0 == "\n" }
  }

  /// A power cut during the renames of a full log leaves one name free.
  ///
  /// The entries keep their order, and the next entries cost the oldest file at most.
  @Test(arguments: 1...AuditFile.predecessorCount)
  func `an interrupted rotation loses nothing`(_ free: Int) async throws {
    let file = file(maximumBytes: 2000)
    for number in Int64(1)...100 { try await file.enter(note(number)) }
    let before = try await numbers(file)
    let oldest = try lines(AuditFile.predecessorName(AuditFile.predecessorCount))
    // The files that come before the free name in the rotation have moved already.
    for number in stride(from: AuditFile.predecessorCount, to: free, by: -1) {
      let (from, to) = (AuditFile.predecessorName(number - 1), AuditFile.predecessorName(number))
      #expect(rename(scratch.directory + "/" + from, scratch.directory + "/" + to) == 0)
    }
    if free == AuditFile.predecessorCount {
      try FileManager.default.removeItem(
        atPath: scratch.directory + "/" + AuditFile.predecessorName(free))
    }
    let after = self.file(maximumBytes: 2000)
    let moved = try await numbers(after)
    #expect(moved == Array(before.dropLast(oldest)), "\(free)")
    var number: Int64 = 100
    repeat {
      number += 1
      try await after.enter(note(number))
    } while try names() != Self.allNames
    let all = try await numbers(after)
    let expected = Array((Int64(101)...number).reversed()) + moved
    #expect(all == expected, "\(free)")
  }

  /// A last line torn by a power cut at any byte costs no acknowledged entry, and the log goes on.
  @Test func `a torn line is cut off`() async throws {
    let first = file()
    for number in Int64(1)...3 { try await first.enter(note(number)) }
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let lines = whole.split(separator: UInt8(ascii: "\n"))
    let start = whole.count - (lines.last?.count ?? 0) - 1
    for length in stride(from: start, to: whole.count, by: 7) {
      try whole.prefix(length).write(to: URL(fileURLWithPath: path))
      let file = file()
      let before = try await numbers(file)
      #expect(before == [2, 1], "\(length) bytes")
      try await file.enter(note(9))
      let after = try await numbers(file)
      #expect(after == [9, 2, 1], "\(length) bytes")
    }
    #expect(log.count("cut off with the power") > 0)
  }

  static let damages: [[UInt8]] = [
    [], Array("{\n".utf8), Array("\n\n\n".utf8), [0, 0, 0, 0], [0, 10, 0, 10],
    Array("{\"note\":{}}\n".utf8), Array("null\n".utf8), [0xFF, 0xFE, 10], [10], [13, 10],
    Array(repeating: UInt8(ascii: "x"), count: 70_000),
    Array(repeating: UInt8(ascii: "["), count: 9_000) + [10],
  ]

  @Test(arguments: damages)
  func `a damaged line costs no other line`(_ damage: [UInt8]) async throws {
    try await file().enter(note(1))
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: damage)
    try handle.close()
    let file = file()
    try await file.enter(note(2))
    let numbers = try await numbers(file)
    #expect(numbers == [2, 1])
  }

  @Test func `a failed synchronization is not retried`() async throws {
    let calls = Mutex<[Int32]>([])
    let failing = Mutex(false)
    let file = file(synchronize: { descriptor in
      calls.withLock { $0.append(descriptor) }
      guard failing.withLock({ $0 }) else { return fdatasync(descriptor) }
      failing.withLock { $0 = false }
      errno = EIO
      return -1
    })
    try await file.enter(note(1))
    failing.withLock { $0 = true }
    try await file.enter(note(2))
    // The entry is in another file, and the doubtful file is put aside.
    #expect(calls.withLock { $0.count } == 3)
    #expect(try names() == [AuditFile.name, AuditFile.brokenName(1)].sorted())
    let kept = try await numbers(file)
    #expect(kept == [2])
    #expect(log.count("cannot be trusted any more") == 1)
  }

  /// Entries from before the failures of a disk are kept through repeated failures.
  @Test func `files that were put aside are kept up to a limit`() async throws {
    let isFailing = Mutex(false)
    let file = file(synchronize: { descriptor in
      guard isFailing.withLock({ $0 }) else { return fdatasync(descriptor) }
      errno = EIO
      return -1
    })
    for number in Int64(1)...20 { try await file.enter(note(number)) }
    let first = try Data(contentsOf: URL(fileURLWithPath: path))
    isFailing.withLock { $0 = true }
    for number in Int64(21)...40 {
      await #expect(throws: APIError.self) { try await file.enter(note(number)) }
    }
    isFailing.withLock { $0 = false }
    try await file.enter(note(41))
    let broken = (1...AuditFile.brokenCount).map { AuditFile.brokenName($0) }
    #expect(try names() == (broken + [AuditFile.name]).sorted())
    let kept = try Data(
      contentsOf: URL(fileURLWithPath: scratch.directory + "/" + AuditFile.brokenName(1)))
    #expect(kept.starts(with: first))
  }

  @Test func `an entry that cannot be written is reported and leaves nothing behind`() async throws
  {
    let isFailing = Mutex(true)
    let file = file(synchronize: { descriptor in
      guard isFailing.withLock({ $0 }) else { return fdatasync(descriptor) }
      errno = EIO
      return -1
    })
    await #expect {
      try await file.enter(note(1))
    } throws: { error in
      let error = error as? APIError
      return error?.code == .unavailable && error?.message.contains("audit.jsonl") == true
    }
    isFailing.withLock { $0 = false }
    try await file.enter(note(2))
    let first = try await numbers(file).first
    #expect(first == 2)
  }

  @Test func `a directory in the file's place is put aside`() async throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let file = file()
    try await file.enter(note(1))
    let kept = try await numbers(file)
    #expect(kept == [1])
    #expect(log.count("is put aside") == 1)
    #expect(try names() == [AuditFile.name, AuditFile.brokenName(1)].sorted())
  }

  /// A link could lead entries into another file of the service.
  @Test func `a link is not followed`() async throws {
    let other = scratch.directory + "/other"
    try Data("keep".utf8).write(to: URL(fileURLWithPath: other))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
    try await file().enter(note(1))
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "keep")
  }

  @Test func `a removed file is created again`() async throws {
    let file = file()
    try await file.enter(note(1))
    try FileManager.default.removeItem(atPath: path)
    try await file.enter(note(2))
    let kept = try await numbers(file)
    #expect(kept == [2])
  }

  @Test func `entries fail without the directory`() async throws {
    try FileManager.default.removeItem(atPath: scratch.directory)
    await #expect(throws: APIError.self) { try await file().enter(note(1)) }
  }

  /// A path that a client sends cannot become a line of its own.
  @Test func `a path cannot forge a line`() async throws {
    let file = file()
    let evil = "/v1/x\n{\"forged\":true}\n\u{0}\u{1B}[2J\u{2028}\"\\"
    try await file.enter(note(1, path: evil))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.count { $0 == "\n" } == 1)
    let entries = try await file.entries(limit: 5)
    #expect(entries.map(\.note.path) == [evil])
  }
}
