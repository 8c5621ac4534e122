import Foundation
import Testing

@testable import Spool

@Suite struct SpoolInspectionTests {
  private let place = TestDirectory()

  private func look(_ locks: String = "/nonexistent") -> SpoolInspection {
    SpoolInspection.look(
      at: place.spool, scratch: NSTemporaryDirectory(), locks: locks)
  }

  /// Returns all files in the directory, so that a test sees whether one has changed.
  private func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: place.spool)
    return names.reduce(into: [:]) {
      $0[$1] = FileManager.default.contents(atPath: place.spool + "/" + $1)
    }
  }

  private func fill() async throws {
    let spool = try await place.open()
    for number in 1...3 { _ = try await spool.store(.sample(number)) }
    await spool.close()
  }

  @Test func `a spool is counted and left unchanged`() async throws {
    try await fill()
    let before = try contents()
    #expect(
      look() == SpoolInspection(index: .inOrder(waiting: 3, parked: 0, quarantined: 0)))
    #expect(try contents() == before)
  }

  /// After a crash the newest rows are in the log only.
  @Test func `the log of a crash is read and left in place`() async throws {
    let spool = try await place.open()
    for number in 1...3 { _ = try await spool.store(.sample(number)) }
    let copy = TestDirectory()
    try FileManager.default.copyItem(atPath: place.spool, toPath: copy.spool)
    await spool.close()
    let log = copy.spool + "/queue.db-wal"
    let before = try #require(FileManager.default.contents(atPath: log))
    #expect(!before.isEmpty)
    let found = SpoolInspection.look(
      at: copy.spool, scratch: NSTemporaryDirectory(), locks: "/nonexistent")
    #expect(found.index == .inOrder(waiting: 3, parked: 0, quarantined: 0))
    #expect(FileManager.default.contents(atPath: log) == before)
  }

  @Test func `a damaged index is reported and not repaired`() async throws {
    try await fill()
    let path = place.spool + "/queue.db"
    var bytes = try #require(FileManager.default.contents(atPath: path))
    bytes.replaceSubrange(4096..<8192, with: Data(repeating: 0xA5, count: 4096))
    try bytes.write(to: URL(fileURLWithPath: path))
    guard case .damaged = look().index else {
      Issue.record("\(look())")
      return
    }
    #expect(FileManager.default.contents(atPath: path) == bytes)
    try Data("no database at all, but long enough".utf8).write(to: URL(fileURLWithPath: path))
    guard case .damaged = look().index else {
      Issue.record("\(look())")
      return
    }
  }

  @Test func `a distrusted index is damaged`() async throws {
    try await fill()
    try Data().write(to: URL(fileURLWithPath: place.spool + "/queue.db.distrusted"))
    guard case .damaged(let cause) = look().index else {
      Issue.record("\(look())")
      return
    }
    #expect(cause.contains("contradicted itself"))
  }

  @Test func `the process that has the spool open is named`() async throws {
    let spool = try await place.open()
    #expect(look("/proc/locks").index == .inUse(processID: getpid()))
    await spool.close()
    #expect(look("/proc/locks").index == .inOrder(waiting: 0, parked: 0, quarantined: 0))
  }

  @Test func `a missing spool is reported`() async throws {
    guard case .unknown = look().index else {
      Issue.record("\(look())")
      return
    }
    try FileManager.default.createDirectory(
      atPath: place.spool, withIntermediateDirectories: true)
    #expect(look().index == .absent)
  }
}
