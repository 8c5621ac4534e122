import Devices
import Foundation
import Testing

@testable import Spool

struct LedgerTests {
  let directory = TestDirectory()

  private func open(
    _ files: any FileSystem = KernelFileSystem(),
    _ change: (inout SpoolConfiguration) -> Void = { _ in }
  ) async throws -> Spool {
    try await Spool.open(
      directory.configuration(change),
      environment: SpoolEnvironment(files: files, bootID: "b"))
  }

  @Test func `An entry is the same before and after it is written, and after a restart`()
    async throws
  {
    var spool = try await open()
    var entry = PressEntry.sample(5, .refused("thermalPressure"))
    entry.frame = 77
    entry.selectionErrorNanoseconds = -3
    entry.frameIntervalNanoseconds = 33
    entry.pressToFrameNanoseconds = 44
    entry.captureAngle = 270
    entry.adjusting = [.exposure, .focus]
    entry.warnings = PageWarning.allCases
    entry.bracket = try Bracket("ms=0.125,5,20,80.5")
    spool.enter(entry)
    #expect(try await spool.press(5) == entry)
    #expect(try await spool.writePresses() == false)
    #expect(try await spool.press(5) == entry)
    await spool.close()
    spool = try await open()
    #expect(try await spool.press(5) == entry)
    #expect(try await spool.presses(PressQuery()) == [entry])
    #expect(spool.recovery.isClean)
    await spool.close()
  }

  @Test func `A stored picture is its press's outcome in the same commit`() async throws {
    let files = FaultyFileSystem(root: directory.spool)
    let spool = try await open(files)
    spool.enter(.sample(3))
    let before = files.journal.count
    let item = try await spool.store(.sample(3))
    // The ledger has made no commit of its own.
    let commits = files.journal.dropFirst(before).filter { "\($0)".hasPrefix("did") }
    #expect(commits.map { "\($0)" } == ["did enqueue(\(item.id))"])
    var entry = try #require(try await spool.press(3))
    #expect(entry.outcome == .stored([item.id]))
    #expect(entry.readiness == .ready && entry.gesture == .single)
    // Facts that are known only afterwards are added.
    var end = PressEntry.sample(3, .stored([item.id]))
    end.pressToStoredNanoseconds = 61
    spool.enter(end)
    try await spool.writeAllPresses()
    entry = try #require(try await spool.press(3))
    #expect(entry.outcome == .stored([item.id]) && entry.pressToStoredNanoseconds == 61)
    // The press gets a second picture, and can no longer be refused.
    let second = try await spool.store(.sample(3, bytes: 299))
    spool.enter(.sample(3, .refused("storageFailed")))
    try await spool.writeAllPresses()
    #expect(try await spool.press(3)?.outcome == .stored([item.id, second.id]))
    let counts = try await spool.pressCounts().counts
    #expect(counts.map(\.kept) == [1] && counts[0].outcome == .stored)
    await spool.close()
  }

  @Test func `A listing of presses takes short calls`() async throws {
    let spool = try await open()
    for number in 1...2000 { spool.enter(.sample(Int64(number), .refused("x"))) }
    try await spool.writeAllPresses()
    let first = await spool.callNumber()
    #expect(try await spool.presses(PressQuery(limit: 2000)).count == 2000)
    let last = await spool.callNumber()
    #expect(last - first > 2000 / UInt64(ItemIndex.pressSlice))
    await spool.close()
  }

  @Test func `Waiting entries are written with any commit`() async throws {
    let spool = try await open()
    for number in 1...40 { spool.enter(.sample(Int64(number), .refused("x"))) }
    _ = try await spool.reservePressNumbers(count: 1)
    #expect(spool.intake.count == 40 - ItemIndex.carriedPresses)
    #expect(try await spool.presses(PressQuery(limit: 100)).count == 40)
    await spool.close()
  }

  @Test func `A storm of presses is bounded, and lost entries are counted durably`() async throws {
    var spool = try await open()
    for number in 1...10_000 { spool.enter(.sample(Int64(number), .refused("x"))) }
    #expect(spool.intake.count == 4096)
    #expect(try await spool.pressCounts().lostEntries == 10_000 - 4096)
    try await spool.writeAllPresses()
    await spool.close()
    spool = try await open()
    let counts = try await spool.pressCounts()
    #expect(counts.lostEntries == 10_000 - 4096)
    #expect(counts.counts.map(\.kept) == [4096])
    await spool.close()
  }

  @Test func `A full disk keeps entries waiting, and pictures are stored without them`()
    async throws
  {
    let full = Trigger()
    let files = FaultyFileSystem(root: directory.spool) { step in
      guard case .willCommit(.presses) = step, full.isArmed else { return nil }
      return ENOSPC
    }
    let spool = try await open(files)
    full.arm()
    spool.enter(.sample(1, .refused("storageFull")))
    let error = await #expect(throws: SpoolError.self) { try await spool.writePresses() }
    #expect(error?.code == .full)
    // A picture's commit no longer takes the entries along, as it must not fail because of them.
    _ = try await spool.store(.sample(2))
    #expect(spool.intake.count == 1)
    #expect(try await spool.outcomes()[1] == .some(.refused("storageFull")))
    full.disarm()
    try await spool.writeAllPresses()
    #expect(spool.intake.isEmpty)
    #expect(try await spool.outcomes().count == 2)
    await spool.close()
  }

  @Test func `A failed commit of the ledger ends the spool`() async throws {
    let broken = Trigger()
    let files = FaultyFileSystem(root: directory.spool) { step in
      guard case .willCommit(.presses) = step, broken.isArmed else { return nil }
      return EIO
    }
    let spool = try await open(files)
    broken.arm()
    spool.enter(.sample(1, .refused("x")))
    let error = await #expect(throws: SpoolError.self) { try await spool.writePresses() }
    #expect(error?.code == .failed)
    let persistent = await spool.persistentFailure
    #expect(persistent?.code == .failed)
    // Entering a press still waits for nothing.
    spool.enter(.sample(2))
    #expect(spool.intake.count == 2)
    await spool.close()
  }

  @Test func `A refused commit loses no press`() async throws {
    let spool = try await open()
    spool.enter(.sample(1, .refused("x")))
    let unknown = try #require(ItemID("000001-0000000009-00000000000000aa"))
    await #expect(throws: SpoolError.self) {
      try await spool.park(unknown, failure: .sample)
    }
    #expect(spool.intake.count == 1)
    _ = try await spool.reservePressNumbers(count: 1)
    #expect(spool.intake.isEmpty)
    await spool.close()
  }

  @Test func `The oldest finished presses are pruned a few at a time`() async throws {
    let spool = try await open(KernelFileSystem()) { $0.ledgerPresses = 100 }
    spool.enter(.sample(1))
    for number in 2...600 {
      spool.enter(.sample(Int64(number), .refused(number % 2 == 0 ? "even" : "odd")))
      if number % 50 == 0 { try await spool.writeAllPresses() }
    }
    let entries = try await spool.presses(PressQuery(limit: 10_000))
    #expect(entries.count == 100)
    #expect(entries.last?.number == 1, "what is in flight is not pruned")
    #expect(entries.dropLast().map(\.number) == (502...600).reversed().map(Int64.init))
    let counts = try await spool.pressCounts().counts
    #expect(counts.reduce(0) { $0 + $1.kept } == 100)
    #expect(counts.reduce(0) { $0 + $1.pruned } == 500)
    #expect(counts.contains { $0.outcome == .pending && $0.kept == 1 && $0.pruned == 0 })
    await spool.close()
  }

  @Test func `Lost edges are kept with their time, the newest 1000`() async throws {
    var spool = try await open()
    let time = CaptureTime(
      bootID: "b", monotonicNanoseconds: 5, wallNanoseconds: 6, wallTrust: .estimated)
    for number in 1...1003 {
      spool.enter(LostEdges(button: "shutter", count: Int64(number), time: time))
      if number > 990 { try await spool.writePresses() }
    }
    try await spool.writePresses()
    await spool.close()
    spool = try await open()
    let edges = try await spool.lostEdges()
    #expect(edges.count == 13 && edges.first?.count == 1003 && edges.first?.time == time)
    #expect(try await spool.pressCounts().lostEdges == 1003 * 1004 / 2)
    // The time of lost edges is corrected like the time of a picture.
    try await spool.noteSynchronized(wallMinusMonotonicNanoseconds: 100, source: "test")
    let corrected = try #require(try await spool.lostEdges(limit: 1).first)
    #expect(corrected.time.wallNanoseconds == 105 && corrected.time.wallTrust == .synchronized)
    await spool.close()
  }

  /// A question and the numbers that answer it.
  struct Question: Sendable, CustomTestStringConvertible {
    var name: String
    var numbers: [Int64]
    var change: @Sendable (inout PressQuery) -> Void
    var testDescription: String { name }
  }

  static let questions = [
    Question(name: "all", numbers: Array((1...12).reversed())) { _ in },
    Question(name: "limit", numbers: [12, 11]) { $0.limit = 2 },
    Question(name: "before", numbers: [4, 3, 2, 1]) { $0.before = 5 },
    Question(name: "after", numbers: [12, 11]) { $0.after = 10 },
    Question(name: "between", numbers: [8, 7]) { ($0.after, $0.before) = (6, 9) },
    Question(name: "stored", numbers: [9, 6, 3]) { $0.outcome = .stored },
    Question(name: "pending", numbers: [12]) { $0.outcome = .pending },
    Question(name: "refused", numbers: [11, 10, 8]) { ($0.outcome, $0.limit) = (.refused, 3) },
    Question(name: "reason", numbers: [10, 8, 4, 2]) { $0.reason = "even" },
    Question(name: "gesture", numbers: [7]) { $0.gesture = .double },
    Question(name: "since", numbers: [12, 11, 10]) { $0.since = 1_795_219_200_000_000_010 },
    Question(name: "until", numbers: [2, 1]) { $0.until = 1_795_219_200_000_000_003 },
    Question(name: "nothing", numbers: []) { ($0.outcome, $0.reason) = (.stored, "even") },
  ]

  @Test(arguments: questions, [true, false])
  func `A query is answered from rows and from waiting entries`(
    question: Question, isWritten: Bool
  ) async throws {
    let spool = try await open()
    for number in 1...12 as ClosedRange<Int64> {
      var entry = PressEntry.sample(number, .refused(number % 2 == 0 ? "even" : "odd"))
      if number == 12 { entry.outcome = nil }
      if number == 7 { entry.gesture = .double }
      if number % 3 == 0, number < 12 {
        entry.outcome = .stored([try await spool.store(.sample(Int(number))).id])
      }
      spool.enter(entry)
      if isWritten { try await spool.writePresses() }
    }
    var query = PressQuery(limit: 100)
    question.change(&query)
    #expect(try await spool.presses(query).map(\.number) == question.numbers)
    await spool.close()
  }

  /// Pages of every size put together are the whole, over several slices of rows.
  @Test(arguments: [1, 7, 499, 500, 501, 5000])
  func `Pages join without gaps`(page: Int) async throws {
    let spool = try await open()
    for number in 1...1300 {
      spool.enter(.sample(Int64(number), .refused(number % 10 == 0 ? "tenth" : "x")))
      if number % 100 == 0, number < 1250 { try await spool.writeAllPresses() }
    }
    for reason in [nil, "tenth"] {
      var numbers: [Int64] = []
      var query = PressQuery(limit: page)
      query.reason = reason
      query.after = page == 1 ? 1200 : nil
      while true {
        let found = try await spool.presses(query)
        numbers += found.map(\.number)
        guard let last = found.last else { break }
        query.before = last.number
      }
      let all = Array(((query.after ?? 0) + 1)...1300).reversed()
      #expect(numbers == all.filter { reason == nil || $0 % 10 == 0 })
    }
    await spool.close()
  }
}
