import Testing

@testable import SimulatedDevices

@Suite struct BufferLedgerTests {
  /// Fills a buffer and returns it; `nil` if all are leased.
  private func fill(_ ledger: inout BufferLedger, frame: UInt64) -> Int? {
    guard case .buffer(let slot) = ledger.take() else { return nil }
    ledger.finish(slot, frame: frame)
    return slot
  }

  @Test func `the ring keeps the newest frames`() {
    var ledger = BufferLedger(bufferCount: 4, ringFrameCount: 3)
    for frame in UInt64(1)...10 {
      let slot = fill(&ledger, frame: frame)
      #expect(slot != nil)
    }
    #expect(ledger.frames == [8, 9, 10])
    let past = ledger.lease(7)
    #expect(past == nil)
    let present = ledger.lease(8)
    #expect(present != nil)
  }

  @Test func `a leased buffer is not filled`() {
    var ledger = BufferLedger(bufferCount: 4, ringFrameCount: 2)
    let first = fill(&ledger, frame: 1)
    let leased = ledger.lease(1)
    #expect(leased == first)
    for frame in UInt64(2)...20 {
      let slot = fill(&ledger, frame: frame)
      #expect(slot != nil && slot != leased)
    }
    #expect(ledger.frames == [19, 20])
  }

  @Test func `the ledger starves only when all buffers are leased, and reports it once`() throws {
    var ledger = BufferLedger(bufferCount: 3, ringFrameCount: 2)
    var slots: [Int] = []
    for frame in UInt64(1)...3 {
      _ = fill(&ledger, frame: frame)
      let slot = ledger.lease(frame)
      slots.append(try #require(slot))
    }
    var takings = [ledger.take(), ledger.take()]
    #expect(takings == [.starved(isNew: true), .starved(isNew: false)])
    let isReplenished = ledger.giveBack(slots[1])
    #expect(isReplenished)
    takings = [ledger.take()]
    #expect(takings == [.buffer(slots[1])])
    ledger.finish(slots[1], frame: 4)
    _ = ledger.lease(4)
    takings = [ledger.take()]
    #expect(takings == [.starved(isNew: true)])
  }

  @Test func `a frame leased twice is given back twice`() throws {
    var ledger = BufferLedger(bufferCount: 2, ringFrameCount: 2)
    _ = fill(&ledger, frame: 1)
    let leases = [ledger.lease(1), ledger.lease(1)]
    let slot = try #require(leases[0])
    #expect(leases[1] == slot)
    _ = fill(&ledger, frame: 2)
    _ = ledger.lease(2)
    let taking = ledger.take()
    #expect(taking == .starved(isNew: true))
    let replenished = [ledger.giveBack(slot), ledger.giveBack(slot)]
    #expect(replenished == [false, true])
  }

  @Test(arguments: [UInt64](1...100)) func `a buffer that is leased or in the ring is never filled`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    let bufferCount = 3 + Int(random.next() % 8)
    let ringFrameCount = 2 + Int(random.next() % 6)
    var ledger = BufferLedger(bufferCount: bufferCount, ringFrameCount: ringFrameCount)
    var leased: [Int] = []
    var frames: [UInt64: Int] = [:]
    var frame: UInt64 = 0
    for _ in 0..<500 {
      switch random.next() % 4 {
      case 0, 1:
        switch ledger.take() {
        case .buffer(let slot):
          #expect(!leased.contains(slot), "seed \(seed)")
          #expect(!ledger.frames.contains { frames[$0] == slot }, "seed \(seed)")
          frame += 1
          ledger.finish(slot, frame: frame)
          frames[frame] = slot
        case .starved:
          #expect(Set(leased).count == bufferCount, "seed \(seed)")
        }
      case 2:
        let wanted = frame - min(frame, random.next() % 8)
        let isInRing = ledger.frames.contains(wanted)
        let slot = ledger.lease(wanted)
        #expect((slot != nil) == isInRing, "seed \(seed)")
        #expect(slot == nil || slot == frames[wanted], "seed \(seed)")
        if let slot { leased.append(slot) }
      default:
        if let slot = leased.popLast() { _ = ledger.giveBack(slot) }
      }
      #expect(ledger.frames.count <= ringFrameCount, "seed \(seed)")
      #expect(ledger.frames == ledger.frames.sorted(), "seed \(seed)")
    }
  }
}
