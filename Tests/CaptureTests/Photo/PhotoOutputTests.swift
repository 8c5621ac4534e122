import Devices
import TestSupport
import Testing

@testable import Capture

@Suite struct PhotoOutputTests {
  private let stored = PressOutcome.stored(
    StoredPhoto(itemID: "a", path: "/a", byteCount: 1, sha256: ""))

  @Test func `a press goes from its place to its outcome`() {
    var bench = PhotoOutputBench()
    _ = bench.frame(1)
    let admitted = bench.admit(7)
    #expect(admitted == ["step of 7", "record 7"])
    #expect(!bench.output.isIdle)
    let found = bench.find(7)
    #expect(found.isEmpty && bench.wanted.isEmpty, "a later frame may be nearer")
    #expect(bench.output.needsLight)
    let arrived = bench.frame(2)
    #expect(arrived.isEmpty && bench.wanted.map(\.frame.id) == [2])
    let leased = bench.lease()
    #expect(
      leased == ["frame chosen", "record 7", "step of 7", "step of 7", "photo 7 of frame 2"])
    #expect(!bench.output.needsLight)
    let end = bench.finish(7, stored)
    #expect(end == ["end 7: stored", "step of 7", "answer to 0", "free after a frame"])
    #expect(bench.output.isIdle && bench.output.ledger[7]?.outcome == stored)
  }

  @Test func `the first outcome stays`() {
    var bench = PhotoOutputBench()
    _ = bench.admit(1)
    _ = bench.finish(1, stored)
    let again = bench.finish(1, .refused(.storageFull))
    let unknown = bench.finish(2, .refused(.storageFull))
    #expect(again.isEmpty && unknown.isEmpty)
    #expect(bench.output.ledger[1]?.outcome == stored)
    #expect(bench.output.ledger[2] == nil)
  }

  @Test func `a press without a place ends at once`() {
    var bench = PhotoOutputBench()
    let press = Press(number: 1, source: .api, time: instant(0))
    let actions = bench.output.refuse(
      press, readiness: .sessionNotRunning, .sessionNotRunning, now: instant(0))
    #expect(actions.count == 2, "the record, and the step of its progress")
    #expect(bench.output.isIdle)
    #expect(bench.output.ledger.refusedCount == 1)
  }

  @Test func `callers are told the outcome`() async {
    var bench = PhotoOutputBench()
    _ = bench.admit(1)
    let record = await withCheckedContinuation {
      (continuation: CheckedContinuation<PressRecord, Never>) in
      bench.output.wait(for: 1, continuation)
      let actions = bench.output.finish(1, stored, now: instant(300))
      for case .answer(let waiters, let record) in actions {
        for waiter in waiters { waiter.resume(returning: record) }
      }
    }
    #expect(record.outcome == stored)
  }

  @Test func `a press whose frame is overwritten takes the nearest other one`() {
    var bench = PhotoOutputBench()
    _ = bench.frame(1)
    _ = bench.admit(1)
    _ = bench.find(1)
    _ = bench.frame(2)
    let first = bench.loseFrame()
    #expect(first.isEmpty && bench.wanted.map(\.frame.id) == [1])
    let second = bench.loseFrame()
    #expect(second == ["end 1: frameOverwritten", "step of 1", "answer to 0", "free"])
    #expect(bench.wanted.isEmpty && bench.output.isIdle)
  }

  @Test func `a press waits until its deadline or the end of the stream`() {
    for endsStream in [false, true] {
      var bench = PhotoOutputBench()
      _ = bench.admit(1)
      _ = bench.find(1)
      let early = bench.advance(to: 409)
      #expect(early.isEmpty)
      let end = endsStream ? bench.endStream() : bench.advance(to: 410)
      #expect(end == ["end 1: noFrameInTime", "step of 1", "answer to 0", "free"])
    }
  }

  @Test func `a frame that comes after the end of its press is returned`() {
    var bench = PhotoOutputBench()
    _ = bench.admit(1)
    _ = bench.find(1)
    _ = bench.frame(2)
    let end = bench.abandonAll()
    #expect(end == ["end 1: sessionNotRunning", "step of 1", "answer to 0", "free"])
    let late = bench.lease()
    #expect(late.isEmpty && bench.leaseCount == 0)
  }

  @Test func `a frame being leased survives the end of its stream`() {
    var bench = PhotoOutputBench()
    _ = bench.admit(1)
    _ = bench.find(1)
    _ = bench.frame(2)
    let end = bench.endStream()
    #expect(end.isEmpty)
    let leased = bench.lease()
    #expect(leased.last == "photo 1 of frame 2")
  }

  /// Every place is freed once and each press ends once, in any order of what happens.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func `the places are counted right in any order of events`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bench = PhotoOutputBench()
    var lastPress: Int64 = 0
    var anticipation: Anticipation?
    for tenths in 1...200 as ClosedRange<UInt64> {
      let now = Int64(tenths) * 100 + 30
      _ = bench.frame(tenths)
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        switch Int.random(in: 0..<9, using: &random) {
        case 0:
          lastPress += 1
          _ = bench.admit(lastPress, at: now)
          _ = bench.find(lastPress, at: now - Int64.random(in: 0...300, using: &random))
        case 1:
          if let begun = bench.anticipate(at: now) { anticipation = begun }
        case 2:
          guard let given = anticipation else { continue }
          lastPress += 1
          _ = bench.admit(lastPress, at: now)
          _ = bench.give(given, to: lastPress, at: now)
          anticipation = nil
        case 3: if let withdrawn = anticipation { bench.output.withdraw(withdrawn) }
        case 4: if !bench.wanted.isEmpty { _ = bench.lease(at: now) }
        case 5: if !bench.wanted.isEmpty { _ = bench.loseFrame(at: now) }
        case 6:
          if let photo = bench.photos.randomElement(using: &random) {
            _ = bench.finish(photo, stored, at: now)
          }
        case 7: _ = Bool.random(using: &random) ? bench.endStream(at: now) : bench.advance(to: now)
        default: _ = bench.output.take(.lightChanged, now: instant(now))
        }
        #expect(bench.waitingCount >= 0 && bench.processingCount >= 0, "seed \(seed)")
      }
    }
    _ = bench.abandonAll(at: 30_000)
    while !bench.wanted.isEmpty { _ = bench.lease(at: 30_000) }
    for photo in bench.photos { _ = bench.finish(photo, stored, at: 30_000) }
    if let anticipation { bench.output.withdraw(anticipation) }
    #expect(bench.output.isIdle && bench.output.requests.isEmpty, "seed \(seed)")
    #expect(bench.waitingCount == 0 && bench.processingCount == 0, "seed \(seed)")
    #expect(bench.ended.sorted() == Array(1..<(lastPress + 1)), "seed \(seed)")
    #expect(Set(bench.photos).count == bench.photos.count, "seed \(seed)")
    #expect(bench.leaseCount == 0, "seed \(seed)")
  }
}
