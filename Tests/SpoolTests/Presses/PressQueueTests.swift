import Devices
import TestSupport
import Testing

@testable import Spool

struct PressQueueTests {
  @Test func `All reports of a press go into one entry`() {
    var queue = PressQueue()
    queue.enter(.sample(7))
    queue.enter(.sample(8, .refused("storageFull")))
    var end = PressEntry.sample(7, .refused("noFrameInTime"))
    end.pressToFrameNanoseconds = 5
    queue.enter(end)
    #expect(queue.count == 2)
    let batch = queue.take(10, isOwnCommit: true)
    #expect(batch.entries.map(\.number) == [7, 8])
    #expect(batch.entries.map(\.reason) == ["noFrameInTime", "storageFull"])
    #expect(batch.entries[0].pressToFrameNanoseconds == 5)
    #expect(queue.isEmpty && queue.take(10, isOwnCommit: true).isEmpty)
  }

  @Test func `Beyond the limit presses are counted once each`() {
    var queue = PressQueue(limit: 2)
    for number in 1...5 { queue.enter(.sample(Int64(number))) }
    #expect(queue.count == 2 && queue.unwrittenLosses == 0)
    for number in 1...5 { queue.enter(.sample(Int64(number), .refused("x"))) }
    #expect(queue.count == 2 && queue.unwrittenLosses == 3)
    let batch = queue.take(256, isOwnCommit: true)
    #expect(batch.lostEntries == 3 && batch.entries.map(\.number) == [1, 2])
  }

  @Test func `The outcome of a press in the ledger is always taken`() {
    var queue = PressQueue(limit: 1)
    queue.enter(.sample(1))
    queue.written(queue.take(1, isOwnCommit: true))
    #expect(queue.open == [1])
    queue.enter(.sample(2))
    queue.enter(.sample(1, .refused("x")))
    #expect(queue.count == 2 && queue.unwrittenLosses == 0)
    queue.written(queue.take(9, isOwnCommit: true))
    #expect(queue.open == [2])
    queue.stored(2)
    #expect(queue.open.isEmpty)
  }

  @Test func `A batch that is put back comes first and loses nothing`() {
    var queue = PressQueue()
    for number in 1...3 { queue.enter(.sample(Int64(number))) }
    let batch = queue.take(2, isOwnCommit: true)
    queue.enter(.sample(2, .refused("x")))
    queue.enter(LostEdges(button: "shutter", count: 3, time: .unknown))
    queue.putBack(batch, isFull: true)
    // The entries are held back until a commit of their own has found room.
    #expect(queue.take(9, isOwnCommit: false).isEmpty)
    #expect(queue.inFlight == [1, 2, 3], "no picture takes press 2 along")
    let again = queue.take(9, isOwnCommit: true)
    #expect(again.entries.map(\.number) == [1, 2, 3])
    #expect(again.entries[1].reason == "x")
    #expect(again.lostEdges.map(\.count) == [3])
    queue.written(again)
    queue.enter(.sample(4))
    queue.enter(.sample(5, .refused("x")))
    #expect(queue.inFlight == [4])
    #expect(queue.take(9, isOwnCommit: false).entries.map(\.number) == [4, 5])
  }

  @Test func `Lost edges are added up by button, for a limited number of buttons`() {
    var queue = PressQueue()
    for number in 0..<200 {
      for _ in 0..<2 {
        queue.enter(LostEdges(button: "b\(number)", count: 2, time: .unknown))
      }
    }
    let edges = queue.take(1, isOwnCommit: true).lostEdges
    #expect(edges.count <= PressQueue.buttonLimit + 1)
    #expect(edges.reduce(0) { $0 + $1.count } == 800)
    #expect(edges.first?.count == 4)
  }

  /// The queue is bounded in any order of events.
  ///
  /// Each press that was entered with an outcome is written once with it, or counted as lost.
  @Test func `Random sequences lose no press without counting it`() {
    let seed = TestSeed.value
    print("press queue: seed \(seed)")
    for round in 0..<Repetitions.of(300) {
      var random = SeededGenerator(seed: seed &+ UInt64(round))
      let limit = Int.random(in: 1...20, using: &random)
      var queue = PressQueue(limit: limit)
      var written: [Int64: PressEntry] = [:]
      var finished: [Int64: String] = [:]
      var inFlight: [Int64] = []
      var lost = 0
      var next: Int64 = 1
      for _ in 0..<200 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
          if Bool.random(using: &random), inFlight.count < 8 {
            queue.enter(.sample(next))
            inFlight.append(next)
          } else {
            finished[next] = "r\(next)"
            queue.enter(.sample(next, .refused("r\(next)")))
          }
          next += 1
        case 2, 3:
          guard let number = inFlight.randomElement(using: &random) else { continue }
          inFlight.removeAll { $0 == number }
          finished[number] = "r\(number)"
          queue.enter(.sample(number, .refused("r\(number)")))
        default:
          let isOwn = Bool.random(using: &random)
          let batch = queue.take(Int.random(in: 1...8, using: &random), isOwnCommit: isOwn)
          if Int.random(in: 0..<3, using: &random) == 0 {
            queue.putBack(batch, isFull: Bool.random(using: &random))
          } else {
            lost += batch.lostEntries
            for entry in batch.entries {
              #expect(written[entry.number]?.outcome == nil, "seed \(seed), round \(round)")
              written[entry.number] = entry
            }
            queue.written(batch)
          }
        }
        // Open presses and a batch that was put back may exceed the limit.
        #expect(queue.count <= limit + 8 + 8, "seed \(seed), round \(round)")
      }
      let rest = queue.take(.max, isOwnCommit: true)
      lost += rest.lostEntries
      for entry in rest.entries { written[entry.number] = entry }
      let entered = finished.filter { written[$0.key]?.reason == $0.value }.count
      #expect(entered + lost == finished.count, "seed \(seed), round \(round)")
    }
  }
}

extension CaptureTime {
  /// A capture time of which nothing is known.
  static let unknown = CaptureTime(
    bootID: nil, monotonicNanoseconds: nil, wallNanoseconds: nil, wallTrust: .unknown)
}
