import TestSupport
import Testing

@testable import API
@testable import Service

/// The reader of the audit log, which must stand any content of the file.
@Suite struct AuditLinesTests {
  private func entry(_ number: Int64) -> AuditEntry {
    AuditEntry(
      time: "2026-11-21T10:00:00.000Z", trust: "synchronized", bootID: nil,
      monotonicNanoseconds: number,
      note: AuditNote(
        run: "r", request: number, stage: .ended, caller: CallerReport(.unknown), method: "POST",
        path: "/v1/presses", status: 200, error: nil, omitted: nil))
  }

  @Test func `lines are read newest first`() throws {
    let bytes = try (Int64(1)...20).flatMap { try AuditLines.line(of: entry($0)) }
    for limit in [1, 7, 20, 1000] {
      let numbers = AuditLines.newestEntries(in: bytes, limit: limit).map(\.note.request)
      #expect(numbers == Array((Int64(1)...20).reversed().prefix(limit)))
    }
    #expect(AuditLines.wholeBytes(of: bytes) == bytes.count)
    #expect(AuditLines.wholeBytes(of: bytes + [1, 2]) == bytes.count)
    #expect(AuditLines.wholeBytes(of: []) == 0 && AuditLines.wholeBytes(of: [1]) == 0)
  }

  /// Damage costs only the lines that it touches.
  @Test(arguments: [1, 20_261_122, 0xDEAD_BEEF] as [UInt64])
  func `damage costs only the lines that it touches`(seed: UInt64) throws {
    print("fuzz of the audit log, seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let lines = try (Int64(1)...30).map { try AuditLines.line(of: entry($0)) }
    var read = 0
    for round in 0..<400 {
      var damaged = lines
      var touched: Set<Int> = []
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<lines.count, using: &generator)
        touched.insert(index)
        // The end of a line stays, so that the next line is not touched as well.
        let last = damaged[index].count - 1
        guard last > 0 else { continue }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          let place = Int.random(in: 0..<last, using: &generator)
          damaged[index][place] = UInt8.random(in: 0...255, using: &generator)
        case 1:
          damaged[index] =
            Array(damaged[index].prefix(Int.random(in: 0...last, using: &generator)))
            + [10]
        case 2:
          damaged[index].insert(
            contentsOf: (0..<9).map { _ in UInt8.random(in: 0...255, using: &generator) },
            at: Int.random(in: 0...last, using: &generator))
        default: damaged[index] = Array(repeating: 0, count: last) + [10]
        }
      }
      let entries = AuditLines.newestEntries(in: damaged.flatMap { $0 }, limit: 1000)
      let numbers = Set(entries.map(\.note.request))
      for index in lines.indices where !touched.contains(index) {
        #expect(numbers.contains(Int64(index + 1)), "round \(round), line \(index + 1)")
      }
      read += entries.count
    }
    #expect(read > 400 * 20)
  }

  @Test(arguments: [3, 77] as [UInt64])
  func `noise is no entry`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let alphabet = Array("{}[]\":,\n\n0123enotrus".utf8) + [0, 0xFF, 0xC3]
      let noise = (0..<Int.random(in: 0..<600, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      #expect(AuditLines.newestEntries(in: noise, limit: 50).isEmpty)
    }
  }
}
