import Devices
import Testing

@testable import Capture

@Suite struct PressLedgerTests {
  private let photo = StoredPhoto(itemID: "a", path: "/a.jpg", byteCount: 1, sha256: "00")

  private func press(_ number: Int64) -> Press {
    Press(number: number, source: .button, time: MonotonicInstant(nanoseconds: number * 1_000_000))
  }

  @Test func `every press has one outcome`() {
    var ledger = PressLedger()
    ledger.begin(press(1))
    ledger.begin(press(2))
    #expect(ledger.inFlightCount == 2)
    let later = MonotonicInstant(nanoseconds: 101_000_000)
    let record = ledger.finish(1, .stored(photo), now: later)
    #expect(record?.pressToStored == .milliseconds(100))
    let again = ledger.finish(1, .refused(.encodingFailed), now: later)
    #expect(again == nil, "the first stays")
    #expect(ledger[1]?.outcome == .stored(photo))
    ledger.finish(2, .refused(.storageFull), now: later)
    #expect(ledger[2]?.pressToStored == nil)
    #expect(ledger.inFlightCount == 0)
    #expect((ledger.storedCount, ledger.refusedCount) == (1, 1))
    let unknown = ledger.finish(99, .refused(.storageFull), now: later)
    #expect(unknown == nil)
  }

  @Test func `each warning about a page is counted once for a press`() {
    var ledger = PressLedger(limit: 1)
    let pictures: [[PageWarning]] = [[], [.glare], [.glare, .pageEmpty]]
    for (number, warnings) in pictures.enumerated() {
      var photo = photo
      photo.page = PageFindings()
      photo.page?.warnings = warnings
      ledger.begin(press(Int64(number)))
      for _ in 0..<2 {
        ledger.finish(Int64(number), .stored(photo), now: MonotonicInstant(nanoseconds: 0))
      }
    }
    #expect(ledger.warnedCounts == [.glare: 2, .pageEmpty: 1])
  }

  @Test func `the text that turned a stored picture turns its record`() {
    var ledger = PressLedger()
    for number in 1...2 as ClosedRange<Int64> {
      ledger.begin(press(number))
      let frame = FrameInfo(id: 1, sequence: 1, timestamp: press(number).time)
      ledger.select(
        FrameSelection(number: number, frame: frame, error: .zero, frameInterval: nil),
        of: number, captureAngle: 0, orientationSource: .kept, now: press(number).time)
    }
    var turned = photo
    (turned.captureAngle, turned.orientationSource) = (90, .text)
    let record = ledger.finish(1, .stored(turned), now: press(3).time)
    #expect(record?.captureAngle == 90 && record?.orientationSource == .text)
    let kept = ledger.finish(2, .refused(.storageFull), now: press(3).time)
    #expect(kept?.captureAngle == 0 && kept?.orientationSource == .kept)
  }

  @Test func `only finished presses are forgotten`() {
    var ledger = PressLedger(limit: 3)
    ledger.begin(press(0))
    for number in 1...10 as ClosedRange<Int64> {
      ledger.begin(press(number))
      ledger.finish(number, .refused(.storageFull), now: MonotonicInstant(nanoseconds: 0))
    }
    #expect(ledger.latest(10).map(\.press.number) == [10, 9, 8, 0])
    #expect(ledger.inFlightCount == 1)
  }

  @Test func `numbers are reserved in blocks and never repeated`() async throws {
    let disk = Disk()
    let numbers = PressNumbers(blockSize: 4) { count in await disk.reserve(count) }
    var given: [Int64] = []
    for _ in 0..<50 { given.append(try await numbers.next()) }
    #expect(given == Array(1...50))
    let restarted = PressNumbers(blockSize: 4) { count in await disk.reserve(count) }
    #expect(try await restarted.next() > 50)
  }

  @Test func `many callers get different numbers`() async throws {
    let disk = Disk()
    let numbers = PressNumbers(blockSize: 3) { count in await disk.reserve(count) }
    let given = try await withThrowingTaskGroup(of: Int64.self) { group in
      for _ in 0..<200 { group.addTask { try await numbers.next() } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(given.count == 200)
  }

  @Test func `a dead disk is reported and retried`() async throws {
    struct DiskError: Error {}
    let disk = Disk()
    await disk.setBroken(true)
    let numbers = PressNumbers(blockSize: 4) { count in
      guard await !disk.isBroken else { throw DiskError() }
      return await disk.reserve(count)
    }
    await #expect(throws: DiskError.self) { try await numbers.next() }
    await disk.setBroken(false)
    #expect(try await numbers.next() == 1)
  }

  private actor Disk {
    private var next: Int64 = 1
    var isBroken = false

    func setBroken(_ isBroken: Bool) { self.isBroken = isBroken }

    func reserve(_ count: Int) -> Range<Int64> {
      defer { next += Int64(count) }
      return next..<(next + Int64(count))
    }
  }
}
