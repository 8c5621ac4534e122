import API
import Devices
import Foundation
import SimulatedDevices
import Synchronization
import Testing

@testable import Platen

/// The file of the audit log, over power cuts, failing disks and other people's hands.
@Suite(.timeLimit(.minutes(2))) struct AuditFileTests {
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
    synchronize: @escaping @Sendable (Int32) -> Int32 = { fdatasync($0) }
  ) -> AuditFile {
    AuditFile(
      directory: scratch.directory, maximumBytes: maximumBytes, clock: clock, bootID: "b",
      wall: { instant in
        WallClockReading(
          nanosecondsSinceEpoch: 1_795_219_200_250_000_000 + instant.nanoseconds,
          trust: .estimated, secondsFromGMT: 0)
      }, synchronize: synchronize, logger: log.logger)
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

  @Test func whatIsEnteredIsThereAfterARestart() async throws {
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

  @Test func othersCannotReadIt() async throws {
    try await file().enter(note(1))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect((mode ?? 0o777) & 0o137 == 0)
  }

  @Test func aFullFileBecomesThePredecessor() async throws {
    let file = file(maximumBytes: 2000)
    for number in Int64(1)...40 { try await file.enter(note(number)) }
    let kept = try await numbers(file)
    #expect(kept == Array((Int64(41) - Int64(kept.count)...40).reversed()))
    #expect(kept.count >= 6)
    #expect(try names() == [AuditFile.predecessorName, AuditFile.name])
    for name in try names() {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: scratch.directory + "/" + name)
      #expect(try #require(attributes[.size] as? Int) <= 2000)
    }
    let after = self.file(maximumBytes: 2000)
    try await after.enter(note(41))
    let next = try await numbers(after)
    #expect(next.first == 41 && next.dropFirst().first == 40)
  }

  /// Wherever the power cuts the last line off, what was acknowledged is there, and goes on.
  @Test func aTornLineIsCutOff() async throws {
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
  func aDamagedLineCostsNoOther(_ damage: [UInt8]) async throws {
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

  @Test func aFailedSynchronisationIsNotTriedAgain() async throws {
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
    // The entry is in another file, and the doubtful one is aside.
    #expect(calls.withLock { $0.count } == 3)
    #expect(try names() == [AuditFile.name, AuditFile.brokenName].sorted())
    let kept = try await numbers(file)
    #expect(kept == [2])
    #expect(log.count("cannot be trusted any more") == 1)
  }

  @Test func whatCannotBeEnteredIsSaidAndLeavesNothing() async throws {
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

  @Test func whatIsInTheWayIsPutAside() async throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let file = file()
    try await file.enter(note(1))
    let kept = try await numbers(file)
    #expect(kept == [1])
    #expect(log.count("is put aside") == 1)
    #expect(try names() == [AuditFile.name, AuditFile.brokenName].sorted())
  }

  /// A link could lead what is added to another file of the service.
  @Test func aLinkIsNotFollowed() async throws {
    let other = scratch.directory + "/other"
    try Data("keep".utf8).write(to: URL(fileURLWithPath: other))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
    try await file().enter(note(1))
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "keep")
  }

  @Test func aFileThatSomebodyRemovedIsMadeAnew() async throws {
    let file = file()
    try await file.enter(note(1))
    try FileManager.default.removeItem(atPath: path)
    try await file.enter(note(2))
    let kept = try await numbers(file)
    #expect(kept == [2])
  }

  @Test func withoutItsDirectoryNothingIsEntered() async throws {
    try FileManager.default.removeItem(atPath: scratch.directory)
    await #expect(throws: APIError.self) { try await file().enter(note(1)) }
  }

  /// What a client writes into a path cannot become a line of its own.
  @Test func noPathForgesALine() async throws {
    let file = file()
    let evil = "/v1/x\n{\"forged\":true}\n\u{0}\u{1B}[2J\u{2028}\"\\"
    try await file.enter(note(1, path: evil))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.count { $0 == "\n" } == 1)
    let entries = try await file.entries(limit: 5)
    #expect(entries.map(\.note.path) == [evil])
  }
}
