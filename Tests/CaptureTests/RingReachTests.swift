import Capture
import Devices
import Testing

/// The number of frames that a ring needs: a press's frame must be there when the press is known.
@Suite struct RingReachTests {
  @Test(arguments: [(1.0, 3), (15, 3), (25, 3), (30, 4), (49, 4), (50, 5), (120, 8), (1e300, 20)])
  func `a ring needs more frames at a higher rate`(frameRate: Double, count: Int) {
    #expect(FrameSelector.fewestFrames(at: frameRate) == count)
  }

  @Test(arguments: [(0, 30.0, 4), (5, 30, 4), (20, 30, 4), (100, 30, 6), (100, 120, 19)])
  func `a push that counts late needs more frames`(
    milliseconds: Int, frameRate: Double, count: Int
  ) {
    let time = FrameSelector.longestChoice(shortestPress: .milliseconds(milliseconds))
    #expect(FrameSelector.fewestFrames(at: frameRate, choiceTime: time) == count)
  }

  @Test(arguments: [10.0, 15, 25, 30, 60, 120])
  func `a press at every phase has its frame and a neighbor`(frameRate: Double) {
    let interval = 1000 / frameRate
    for phase in 0..<64 {
      let time = 1000 + interval * Double(phase) / 64
      let found = distances(
        of: time, ringFrameCount: FrameSelector.fewestFrames(at: frameRate), interval: interval)
      #expect((found.nearest ?? .infinity) <= interval / 2 + 0.001, "phase \(phase)")
      #expect((found.neighbor ?? .infinity) <= interval + 0.001, "phase \(phase)")
    }
  }

  @Test func `a smaller ring loses frames`() {
    let interval = 1000.0 / 60
    let lost = (0..<64).filter { phase in
      let time = 1000 + interval * Double(phase) / 64
      let found = distances(of: time, ringFrameCount: 3, interval: interval)
      return (found.nearest ?? .infinity) > interval / 2 + 0.001
    }
    #expect(!lost.isEmpty)
  }

  /// Returns the distances of the chosen and the next frame to a press that is known late.
  ///
  /// The frames come without delay, and the times are milliseconds.
  private func distances(
    of time: Double, ringFrameCount: Int, interval: Double
  ) -> (nearest: Double?, neighbor: Double?) {
    func instant(_ milliseconds: Double) -> MonotonicInstant {
      MonotonicInstant(nanoseconds: Int64(milliseconds * 1e6))
    }
    var selector = FrameSelector(ringFrameCount: ringFrameCount)
    var next: UInt64 = 0
    func come() -> FrameSelector.Settlement {
      let timestamp = instant(Double(next) * interval)
      next += 1
      return selector.frame(FrameInfo(id: next, sequence: next, timestamp: timestamp))
    }
    let known = time + FrameSelector.choiceTime.inMilliseconds
    while Double(next) * interval <= known { _ = come() }
    var chosen: FrameSelection?
    switch selector.press(1, at: instant(time), deadline: instant(known + 1000)) {
    case .frame(let selection): chosen = selection
    case .waits: chosen = come().chosen.first
    case .tooLate, .noFrame: chosen = nil
    }
    guard let chosen else { return (nil, nil) }
    let neighbor = selector.replacement(for: chosen, pressedAt: instant(time))
    return (abs(chosen.error.inMilliseconds), neighbor.map { abs($0.error.inMilliseconds) })
  }
}
