import Capture
import Devices
import TestSupport
import Testing

@Suite struct FrameSelectorTests {
  private func instant(_ milliseconds: Double) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: Int64(milliseconds * 1e6))
  }

  private func frame(_ id: UInt64, at milliseconds: Double) -> FrameInfo {
    FrameInfo(id: id, sequence: id, timestamp: instant(milliseconds))
  }

  @Test func `a press waits for a later frame and takes the nearest`() {
    var selector = FrameSelector(ringFrameCount: 4)
    _ = selector.frame(frame(1, at: 0))
    _ = selector.frame(frame(2, at: 33))
    let early = selector.press(7, at: instant(60), deadline: instant(1000))
    #expect(early == .waits)
    #expect(selector.waitingNumbers == [7])
    let chosen = selector.frame(frame(3, at: 66)).chosen
    #expect(chosen.map(\.frame.id) == [3])
    #expect(chosen.first?.error == .milliseconds(6))
    #expect(chosen.first?.frameInterval == .milliseconds(33))
    #expect(selector.waitingNumbers.isEmpty)
  }

  /// The interval of a camera without frame durations is that of its frames.
  @Test func `the usual interval is that of the latest frames`() {
    var selector = FrameSelector(ringFrameCount: 4)
    #expect(selector.usualInterval == nil)
    for (index, time) in [0, 33, 533, 733, 933].enumerated() {
      _ = selector.frame(frame(UInt64(index), at: Double(time)))
    }
    #expect(selector.usualInterval == .milliseconds(200))
  }

  @Test func `a nearer earlier frame is taken`() {
    var selector = FrameSelector(ringFrameCount: 4)
    _ = selector.frame(frame(1, at: 0))
    _ = selector.press(1, at: instant(10), deadline: instant(1000))
    let chosen = selector.frame(frame(2, at: 33)).chosen
    #expect(chosen.map(\.frame.id) == [1])
    #expect(chosen.first?.error == .milliseconds(-10))
  }

  @Test func `a press with a later frame in the ring is decided at once`() {
    var selector = FrameSelector(ringFrameCount: 4)
    for index in 0..<4 { _ = selector.frame(frame(UInt64(index), at: Double(index) * 33)) }
    let chosen = selector.press(1, at: instant(40), deadline: instant(1000))
    #expect(chosen.selection?.frame.id == 1)
  }

  @Test func `the exposure midpoint counts and not the timestamp`() {
    var selector = FrameSelector(ringFrameCount: 4)
    // Midpoint at 100 − 40/2 + 20/2 = 90 ms.
    let long = FrameInfo(
      id: 1, sequence: 1, timestamp: instant(100), exposureDuration: .milliseconds(40),
      readoutDuration: .milliseconds(20))
    _ = selector.press(1, at: instant(95), deadline: instant(1000))
    let tooEarly = selector.frame(long).chosen
    #expect(tooEarly.isEmpty, "its midpoint lies before the press")
    let chosen = selector.frame(frame(2, at: 133)).chosen
    #expect(chosen.first?.frame.id == 1)
    #expect(chosen.first?.error == .milliseconds(-5))
  }

  @Test func `several presses may share a frame`() {
    var selector = FrameSelector(ringFrameCount: 4)
    _ = selector.frame(frame(1, at: 0))
    for number in 1...3 as ClosedRange<Int64> {
      _ = selector.press(number, at: instant(20 + Double(number)), deadline: instant(500))
    }
    let chosen = selector.frame(frame(2, at: 33)).chosen
    #expect(chosen.map(\.number) == [1, 2, 3])
  }

  @Test func `a press expires only at its deadline`() {
    var selector = FrameSelector(ringFrameCount: 4)
    _ = selector.press(1, at: instant(0), deadline: instant(100))
    _ = selector.press(2, at: instant(50), deadline: instant(150))
    #expect(selector.nextDeadline == instant(100))
    let before = selector.expire(at: instant(99))
    #expect(before.isEmpty)
    let atDeadline = selector.expire(at: instant(100))
    #expect(atDeadline == [1])
    #expect(selector.nextDeadline == instant(150))
    let rest = selector.abandonAll()
    #expect(rest == [2])
    #expect(selector.nextDeadline == nil)
    #expect(selector.waitingNumbers.isEmpty)
  }

  @Test func `a missing frame is replaced by the next nearest`() {
    var selector = FrameSelector(ringFrameCount: 4)
    for index in 0..<3 { _ = selector.frame(frame(UInt64(index), at: Double(index) * 33)) }
    var next = selector.press(1, at: instant(34), deadline: instant(500)).selection
    var taken: [UInt64] = []
    while let selection = next {
      taken.append(selection.frame.id)
      next = selector.replacement(for: selection, pressedAt: instant(34))
    }
    #expect(taken == [1, 2, 0])
  }

  /// The ring of four frames reaches from 132 to 231 ms.
  @Test(arguments: [
    (181.0, FrameSelector.Choice?.none, UInt64?.some(5)), (132, nil, 4), (100, nil, 4),
    (83, nil, 4), (82, .tooLate, nil), (20, .tooLate, nil), (-5000, .tooLate, nil),
  ])
  func `a press whose frame is gone is too late`(
    time: Double, refusal: FrameSelector.Choice?, frameID: UInt64?
  ) {
    var selector = FrameSelector(ringFrameCount: 4)
    for index in 0..<8 { _ = selector.frame(frame(UInt64(index), at: Double(index) * 33)) }
    let choice = selector.press(1, at: instant(time), deadline: instant(1000))
    #expect(choice.selection?.frame.id == frameID)
    if let refusal { #expect(choice == refusal) }
    #expect(selector.waitingNumbers.isEmpty)
  }

  @Test func `the first frame of a light is the nearest at any distance`() {
    var selector = FrameSelector(ringFrameCount: 4)
    for index in 0..<8 { _ = selector.frame(frame(UInt64(index), at: Double(index) * 33)) }
    selector.lightChanged()
    _ = selector.frame(frame(8, at: 900))
    _ = selector.frame(frame(9, at: 933))
    let choice = selector.press(1, at: instant(240), deadline: instant(2000))
    #expect(choice.selection?.frame.id == 8)
  }

  @Test func `no frame of another moment replaces a missing one`() {
    var selector = FrameSelector(ringFrameCount: 4)
    for milliseconds in [0.0, 33, 300, 333] {
      _ = selector.frame(frame(UInt64(milliseconds), at: milliseconds))
    }
    let choice = selector.press(1, at: instant(30), deadline: instant(500))
    let first = choice.selection.flatMap {
      selector.replacement(for: $0, pressedAt: instant(30))
    }
    #expect(first?.frame.id == 0)
    let second = first.flatMap { selector.replacement(for: $0, pressedAt: instant(30)) }
    #expect(second == nil)
  }

  @Test func `presses outlive the stream`() {
    var selector = FrameSelector(ringFrameCount: 4)
    _ = selector.frame(frame(1, at: 0))
    _ = selector.press(1, at: instant(10), deadline: instant(2000))
    selector.streamEnded()
    let chosen = selector.frame(frame(2, at: 900)).chosen
    #expect(chosen.map(\.frame.id) == [2])
  }

  /// A camera of 30 frames a second pauses; a press takes a frame at most 150 ms away.
  @Test(arguments: [
    (pause: 2000.0, press: 140.0, isTaken: true), (2000, 160, false), (2000, 200, false),
    (2000, 1200, false), (2000, 1840, false), (2000, 1860, true), (299, 149, true),
    (330, 165, false),
  ])
  func `a press in a pause of the stream gets no frame of another moment`(
    pause: Double, press: Double, isTaken: Bool
  ) {
    for isReadLate in [false, true] {
      var selector = FrameSelector(ringFrameCount: 4)
      for index in 0..<8 { _ = selector.frame(frame(UInt64(index), at: Double(index) * 33)) }
      let (last, at) = (7 * 33.0, instant(7 * 33 + press))
      if isReadLate {
        _ = selector.frame(frame(8, at: last + pause))
        let choice = selector.press(1, at: at, deadline: instant(1e6))
        #expect((choice.selection != nil) == isTaken)
        if case .noFrame = choice { #expect(!isTaken) } else { #expect(isTaken) }
      } else {
        #expect(selector.press(1, at: at, deadline: instant(1e6)) == .waits)
        let settlement = selector.frame(frame(8, at: last + pause))
        #expect(settlement.chosen.map(\.number) == (isTaken ? [1] : []))
        #expect(settlement.missed.map(\.number) == (isTaken ? [] : [1]))
      }
    }
  }

  /// A frame of unknown time may show the page before; its timestamp is its arrival.
  @Test(arguments: [true, false])
  func `a frame of unknown time is no candidate beside frames with known times`(
    othersAreKnown: Bool
  ) {
    var selector = FrameSelector(ringFrameCount: 4)
    for index in 0..<8 {
      var other = frame(UInt64(index), at: Double(index) * 33)
      other.isTimestampKnown = othersAreKnown
      _ = selector.frame(other)
    }
    _ = selector.press(1, at: instant(240), deadline: instant(1e6))
    var stale = frame(8, at: 241)
    stale.isTimestampKnown = false
    #expect(selector.frame(stale).chosen.map(\.frame.id) == (othersAreKnown ? [] : [8]))
    let next = selector.frame(frame(9, at: 264)).chosen.map(\.frame.id)
    #expect(next == (othersAreKnown ? [7] : []))
  }

  /// A camera that no longer reports times still takes pictures.
  @Test func `a ring full of frames of unknown time is used`() {
    var selector = FrameSelector(ringFrameCount: 4)
    for index in 0..<8 { _ = selector.frame(frame(UInt64(index), at: Double(index) * 33)) }
    _ = selector.press(1, at: instant(240), deadline: instant(1e6))
    let chosen = (8..<12).map { index in
      var other = frame(UInt64(index), at: Double(index) * 33)
      other.isTimestampKnown = false
      return selector.frame(other).chosen.map(\.number)
    }
    #expect(chosen == [[], [], [], [1]])
  }

  /// Frames that come at longer intervals from now on are no pause from the second one on.
  @Test func `a camera that becomes slow still takes pictures`() {
    var selector = FrameSelector(ringFrameCount: 4)
    for index in 0..<8 { _ = selector.frame(frame(UInt64(index), at: Double(index) * 40)) }
    for index in 1...2 {
      _ = selector.frame(frame(UInt64(7 + index), at: 280 + Double(index) * 400))
    }
    _ = selector.press(1, at: instant(1280), deadline: instant(1e6))
    #expect(selector.frame(frame(10, at: 1480)).chosen.map(\.number) == [1])
  }

  /// A frame of unknown time may have been in a queue while the stream began.
  @Test func `a frame of unknown time yields to the first frame of a known time`() {
    var selector = FrameSelector(ringFrameCount: 4)
    var stale = frame(1, at: 100)
    stale.isTimestampKnown = false
    _ = selector.frame(stale)
    _ = selector.press(1, at: instant(101), deadline: instant(1e6))
    #expect(selector.frame(frame(2, at: 133)).chosen.map(\.frame.id) == [2])
  }

  /// The newest two frames are far apart, and the nearest frame has left the ring.
  @Test func `a press whose frame is gone is too late even in an uneven stream`() {
    var selector = FrameSelector(ringFrameCount: 2)
    for (id, time) in [
      (1, 1000.0), (2, 1033), (3, 1066), (4, 1099), (5, 1132), (6, 1165), (7, 1305),
    ] {
      _ = selector.frame(frame(UInt64(id), at: time))
    }
    #expect(selector.press(1, at: instant(985), deadline: instant(1e6)) == .tooLate)
  }

  /// A slow camera's frames are far apart, and a press may be as far; the frame duration tells it.
  @Test func `a slow camera is no pause`() {
    var selector = FrameSelector(ringFrameCount: 4)
    for index in 0..<8 { _ = selector.frame(frame(UInt64(index), at: Double(index) * 33)) }
    _ = selector.press(1, at: instant(500), deadline: instant(1e6))
    var slow = frame(8, at: 731)
    slow.frameDuration = .milliseconds(500)
    #expect(selector.frame(slow).chosen.map(\.number) == [1])
    for index in 1..<9 {
      _ = selector.frame(frame(UInt64(8 + index), at: 731 + Double(index) * 500))
    }
    _ = selector.press(2, at: instant(731 + 8 * 500 + 700), deadline: instant(1e6))
    #expect(selector.frame(frame(20, at: 731 + 11 * 500)).chosen.map(\.number) == [2])
  }

  /// The reference is the definition: of all frames ever in reach, the nearest is taken.
  @Test(arguments: 0..<50 as Range<UInt64>)
  func `the error is at most half an interval`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var selector = FrameSelector(ringFrameCount: 8)
    let interval = Double.random(in: 8...200, using: &random)
    let latency = Double.random(in: 0...3, using: &random) * interval
    var presses: [(number: Int64, time: Double)] = []
    for index in 0..<50 {
      presses.append(
        (Int64(index), interval * 2 + Double.random(in: 0...100, using: &random) * interval))
    }
    presses.sort { $0.time < $1.time }
    var midpoints: [Double] = []
    var chosen: [Int64: FrameSelection] = [:]
    var pending = presses[...]
    for index in 0..<120 {
      let midpoint = Double(index) * interval + Double.random(in: -1...1, using: &random)
      midpoints.append(midpoint)
      let arrival = midpoint + latency
      while let press = pending.first, press.time <= arrival {
        pending.removeFirst()
        let at = instant(press.time)
        let choice = selector.press(press.number, at: at, deadline: instant(1e9))
        if let selection = choice.selection {
          chosen[press.number] = selection
        }
      }
      for selection in selector.frame(frame(UInt64(index), at: midpoint)).chosen {
        chosen[selection.number] = selection
      }
    }
    for press in presses {
      let best = midpoints.map { abs($0 - press.time) }.min() ?? .infinity
      let error = chosen[press.number].map { abs($0.error.inMilliseconds) } ?? .infinity
      #expect(abs(error - best) < 1e-3, "seed \(seed), press \(press.number)")
      #expect(error <= interval / 2 + 1.001, "seed \(seed), press \(press.number)")
    }
  }
}

extension FrameSelector.Choice {
  fileprivate var selection: FrameSelection? {
    if case .frame(let selection) = self { selection } else { nil }
  }
}
