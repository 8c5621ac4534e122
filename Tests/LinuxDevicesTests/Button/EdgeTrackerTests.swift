import Devices
import TestSupport
import Testing

@testable import LinuxDevices

@Suite struct EdgeTrackerTests {
  private func edge(_ kind: LineEdge.Kind, _ sequence: UInt32? = nil) -> LineEdge {
    LineEdge(kind: kind, time: MonotonicInstant(nanoseconds: 1), lineSequence: sequence)
  }

  @Test func `numbered edges in a row have no loss`() {
    var tracker = EdgeTracker(isActive: false)
    let firstLost = tracker.take(edge(.activated, 1))
    #expect(firstLost == 0)
    let secondLost = tracker.take(edge(.deactivated, 2))
    #expect(secondLost == 0)
    #expect(!tracker.isActive)
  }

  @Test(arguments: [(1, 3, 1), (5, 10, 4), (UInt32.max, 0, 0), (UInt32.max - 1, 1, 2)])
  func `a gap in the numbers is counted`(from: UInt32, to: UInt32, lost: Int) {
    var tracker = EdgeTracker(isActive: false)
    _ = tracker.take(edge(.activated, from))
    let firstLost = tracker.take(edge(.deactivated, to))
    #expect(firstLost == lost)
  }

  @Test func `edges lost before the first one are counted`() {
    var tracker = EdgeTracker(isActive: false)
    let firstLost = tracker.take(edge(.activated, 4))
    #expect(firstLost == 3)
  }

  @Test func `a number that goes back is no loss`() {
    var tracker = EdgeTracker(isActive: false)
    _ = tracker.take(edge(.activated, 10))
    let firstLost = tracker.take(edge(.deactivated, 9))
    #expect(firstLost == 0)
  }

  @Test func `a repeated kind of edge has lost one`() {
    var tracker = EdgeTracker(isActive: false)
    let firstLost = tracker.take(edge(.activated))
    #expect(firstLost == 0)
    let secondLost = tracker.take(edge(.activated))
    #expect(secondLost == 1)
    let thirdLost = tracker.take(edge(.deactivated))
    #expect(thirdLost == 0)
  }

  @Test func `merged edges are noticed by their kinds although the numbers have no gap`() {
    var tracker = EdgeTracker(isActive: false)
    _ = tracker.take(edge(.activated, 1))
    let firstLost = tracker.take(edge(.activated, 2))
    #expect(firstLost == 1)
  }

  @Test func `a level must differ twice before an edge counts as missing`() {
    var tracker = EdgeTracker(isActive: true)
    let firstComparison = tracker.compare(level: true)
    #expect(firstComparison == .agrees)
    let secondComparison = tracker.compare(level: false)
    #expect(secondComparison == .compareAgain)
    let thirdComparison = tracker.compare(level: false)
    #expect(thirdComparison == .lostEdge(.deactivated))
    #expect(!tracker.isActive)
    let fourthComparison = tracker.compare(level: false)
    #expect(fourthComparison == .agrees)
  }

  @Test func `an edge on its way is not missing`() {
    var tracker = EdgeTracker(isActive: false)
    let firstComparison = tracker.compare(level: true)
    #expect(firstComparison == .compareAgain)
    let firstLost = tracker.take(edge(.activated))
    #expect(firstLost == 0)
    let secondComparison = tracker.compare(level: true)
    #expect(secondComparison == .agrees)
  }

  @Test func `any dropped edges are noticed and the level is right in the end`() {
    for seed: UInt64 in 1...200 {
      var random = SeededGenerator(seed: seed)
      var tracker = EdgeTracker(isActive: false)
      var level = false
      var known = 0
      var dropped = 0
      var droppedAtTheEnd = 0
      for sequence in 1...UInt32(60) {
        level.toggle()
        if Bool.random(using: &random) {
          dropped += 1
          droppedAtTheEnd += 1
        } else {
          droppedAtTheEnd = 0
          known += tracker.take(edge(level ? .activated : .deactivated, sequence))
        }
      }
      #expect(known == dropped - droppedAtTheEnd, "seed \(seed)")
      // An edge dropped after the last received one shows in the level alone.
      _ = tracker.compare(level: level)
      _ = tracker.compare(level: level)
      #expect(tracker.isActive == level, "seed \(seed)")
    }
  }
}
