import Devices
import TestSupport
import Testing

@testable import Capture

@Suite struct LampSwitchTests {
  /// Returns a frame whose rows are exposed from one instant to another, with 10 ms of readout.
  private func frame(from begin: Int64, to end: Int64) -> FrameInfo {
    FrameInfo(
      id: 1, sequence: 1, timestamp: instant(end - 10),
      exposureDuration: .milliseconds(end - 10 - begin),
      readoutDuration: .milliseconds(10))
  }

  private func lamp(
    _ mode: LampPolicy.Mode = .shot, lead: Int64 = 200, hold: Int64 = 0
  ) -> LampSwitch {
    LampSwitch(
      policy: LampPolicy(
        mode: mode, leadTime: .milliseconds(lead), holdTime: .milliseconds(hold)))
  }

  private func lit(_ lamp: inout LampSwitch, from begin: Int64, to end: Int64?) {
    lamp.need(true, at: instant(begin))
    _ = lamp.begin(at: instant(begin))
    lamp.changed(at: instant(begin))
    guard let end else { return }
    lamp.need(false, at: instant(end))
    _ = lamp.begin(at: instant(end))
    lamp.changed(at: instant(end + 5))
  }

  struct Example: Sendable {
    var begin: Int64
    var end: Int64
    var counts: Bool
  }

  static let examples = [
    Example(begin: 900, end: 950, counts: false), Example(begin: 1150, end: 1250, counts: false),
    Example(begin: 1199, end: 1250, counts: false), Example(begin: 1200, end: 1250, counts: true),
    Example(begin: 1900, end: 2000, counts: true), Example(begin: 1900, end: 2001, counts: false),
    Example(begin: 2100, end: 2200, counts: false),
  ]

  /// The lamp is lit from 1 s to 2 s, with 200 ms of lead time.
  @Test(arguments: examples)
  func `frames exposed wholly in the lamp's light count`(_ example: Example) {
    var lamp = lamp()
    lit(&lamp, from: 1000, to: 2000)
    #expect(lamp.counts(frame(from: example.begin, to: example.end)) == example.counts)
    lit(&lamp, from: 3000, to: nil)
    #expect(
      !lamp.counts(frame(from: example.begin, to: example.end)),
      "another light, another picture")
  }

  @Test func `a frame without an exposure time may have used its whole duration`() {
    var lamp = lamp()
    lit(&lamp, from: 1000, to: nil)
    var frame = FrameInfo(id: 1, sequence: 1, timestamp: instant(1220))
    frame.frameDuration = .milliseconds(33)
    #expect(!lamp.counts(frame))
    frame.timestamp = instant(1233)
    #expect(lamp.counts(frame))
  }

  static let darkExamples = [
    Example(begin: 900, end: 1000, counts: true), Example(begin: 900, end: 1001, counts: false),
    Example(begin: 1300, end: 1340, counts: false), Example(begin: 1990, end: 2010, counts: false),
    Example(begin: 2004, end: 2040, counts: false), Example(begin: 2005, end: 2040, counts: true),
  ]

  /// The lamp is lit from 1 s to 2 s, and dark 5 ms later.
  @Test(arguments: darkExamples)
  func `presses without a flash take frames from outside the lamp's light`(_ example: Example) {
    let frame = frame(from: example.begin, to: example.end)
    var lamp = lamp()
    #expect(lamp.counts(frame, lit: false), "never lit yet")
    lit(&lamp, from: 1000, to: example.begin < 1990 ? nil : 2000)
    #expect(lamp.counts(frame, lit: false) == example.counts)
  }

  @Test func `a frame during a change counts in no light`() {
    var lamp = lamp(lead: 0)
    lamp.need(true, at: instant(1000))
    _ = lamp.begin(at: instant(1000))
    let first = frame(from: 1010, to: 1040)
    #expect(!lamp.counts(first) && !lamp.counts(first, lit: false))
    lamp.changed(at: instant(1050))
    lamp.need(false, at: instant(2000))
    _ = lamp.begin(at: instant(2000))
    let second = frame(from: 2010, to: 2040)
    #expect(!lamp.counts(second) && !lamp.counts(second, lit: false) && !lamp.isLit(second))
    lamp.changed(at: instant(2050))
    #expect(lamp.counts(frame(from: 2050, to: 2080), lit: false))
  }

  @Test func `a frame without light does not count while the camera adapts to the dark`() {
    var lamp = lamp()
    lit(&lamp, from: 1000, to: 2000)
    var early = frame(from: 2100, to: 2140)
    early.adjust(.exposure)
    #expect(!lamp.counts(early, lit: false))
    var late = frame(from: 3505, to: 3540)
    late.adjust(.exposure)
    #expect(lamp.counts(late, lit: false), "for \(LampSwitch.longestSettling) at most")
    lamp.frameCounted(lit: false)
    #expect(lamp.counts(early, lit: false))
  }

  @Test func `a frame was lit if all of its exposure was in the lamp's light`() {
    var lamp = lamp()
    #expect(!lamp.isLit(frame(from: 900, to: 940)))
    lit(&lamp, from: 1000, to: 2000)
    #expect(lamp.isLit(frame(from: 1000, to: 1040)), "even before the lead time is over")
    #expect(!lamp.isLit(frame(from: 990, to: 1040)) && !lamp.isLit(frame(from: 1990, to: 2010)))
  }

  @Test func `a press without a flash ends a hold`() {
    var lamp = lamp(hold: 300)
    lit(&lamp, from: 1000, to: nil)
    lamp.need(false, at: instant(2000))
    #expect(!lamp.isDue(at: instant(2010)))
    lamp.need(false, isForbidden: true, at: instant(2010))
    #expect(lamp.isDue(at: instant(2010)))
    #expect(lamp.delay(at: instant(2010), lit: false) == lamp.longestTurn)
    _ = lamp.begin(at: instant(2010))
    lamp.changed(at: instant(2020))
    let rest = LampSwitch.longestSettling - .milliseconds(100)
    #expect(lamp.delay(at: instant(2120), lit: false) == rest)
  }

  @Test func `a lamp that is always lit has no frames without its light`() {
    #expect(!lamp(.session).counts(frame(from: 900, to: 940), lit: false))
  }

  /// Exposure and white balance adapt to the new light; the focus does not depend on it.
  @Test func `a frame does not count while the camera adapts to the light`() {
    var lamp = lamp()
    lit(&lamp, from: 1000, to: nil)
    for adjustment in CameraAdjustment.allCases {
      var early = frame(from: 1300, to: 1340)
      early.adjust(adjustment)
      #expect(lamp.counts(early) == (adjustment == .focus))
      var last = frame(from: 2699, to: 2730)
      last.adjust(adjustment)
      #expect(lamp.counts(last) == (adjustment == .focus))
      var late = frame(from: 2700, to: 2730)
      late.adjust(adjustment)
      #expect(lamp.counts(late), "for \(LampSwitch.longestSettling) at most")
    }
  }

  /// A page that moves into the light is no other light.
  @Test func `after a frame has counted the next ones count`() {
    var lamp = lamp()
    lit(&lamp, from: 1000, to: nil)
    #expect(lamp.counts(frame(from: 1300, to: 1340)))
    lamp.frameCounted()
    var later = frame(from: 1400, to: 1440)
    later.adjust(.exposure)
    #expect(lamp.counts(later))
  }

  /// The first frames in a new light still carry the automatic mode's state for the old light.
  @Test func `the state of an automatic mode is trusted after four frames`() {
    var lamp = lamp(lead: 0)
    lit(&lamp, from: 1000, to: nil)
    var frame = frame(from: 1399, to: 1440)
    frame.exposureState = .converged
    frame.frameDuration = .milliseconds(100)
    #expect(!lamp.counts(frame))
    frame.exposureState = .locked
    #expect(lamp.counts(frame))
    frame.exposureState = .converged
    frame.timestamp = frame.timestamp.advanced(by: .milliseconds(1))
    #expect(lamp.counts(frame))
  }

  @Test func `the lamp stays lit after the last shot`() {
    var lamp = lamp(hold: 300)
    lit(&lamp, from: 1000, to: nil)
    lamp.need(false, at: instant(2000))
    #expect(!lamp.isDue(at: instant(2299)))
    lamp.need(true, at: instant(2299))
    #expect(!lamp.isDue(at: instant(2400)), "the next shot finds it lit")
    lamp.need(false, at: instant(2400))
    let isOn = lamp.begin(at: instant(2700))
    #expect(isOn == false)
  }

  /// Time alone ends a hold and a pause, and makes a change overdue.
  @Test func `each deadline of the lamp is named`() {
    var lamp = lamp(hold: 300)
    #expect(lamp.nextDeadline(after: instant(0)) == nil)
    lamp.need(true, at: instant(0))
    _ = lamp.begin(at: instant(0))
    let end = instant(0).advanced(by: LampSwitch.longestChange)
    #expect(lamp.nextDeadline(after: instant(0)) == end)
    lamp.failed(at: instant(5))
    #expect(lamp.nextDeadline(after: instant(5)) == instant(5).advanced(by: LampSwitch.retryPause))
    #expect(lamp.nextDeadline(after: instant(5005)) == nil, "due now")
    _ = lamp.begin(at: instant(5005))
    lamp.changed(at: instant(5006))
    #expect(lamp.nextDeadline(after: instant(5006)) == nil)
    lamp.need(false, at: instant(6000))
    #expect(lamp.nextDeadline(after: instant(6000)) == instant(6300))
    #expect(lamp.nextDeadline(after: instant(6300)) == nil && lamp.isDue(at: instant(6300)))
  }

  @Test func `only one change is made at a time`() {
    var lamp = lamp()
    lamp.need(true, at: instant(0))
    let first = lamp.begin(at: instant(0))
    lamp.need(false, at: instant(1))
    #expect(first == true && !lamp.isDue(at: instant(1)))
    lamp.changed(at: instant(2))
    let second = lamp.begin(at: instant(2))
    #expect(second == false)
  }

  @Test func `a failing lamp has no effect and is retried`() {
    var lamp = lamp()
    lamp.need(true, at: instant(0))
    _ = lamp.begin(at: instant(0))
    #expect(!lamp.counts(frame(from: 10, to: 40)))
    lamp.failed(at: instant(5))
    #expect(lamp.counts(frame(from: 10, to: 40)))
    #expect(lamp.delay(at: instant(5)) == .zero)
    #expect(!lamp.isDue(at: instant(5004)) && lamp.isDue(at: instant(5005)))
    _ = lamp.begin(at: instant(5005))
    lamp.changed(at: instant(5006))
    #expect(!lamp.isFailed && lamp.isLit)
    #expect(!lamp.counts(frame(from: 5010, to: 5040)))
    #expect(lamp.delay(at: instant(5106)) == .milliseconds(100) + LampSwitch.longestSettling)
  }

  @Test func `a lamp that does not answer holds back no picture`() {
    var lamp = lamp()
    lamp.need(true, at: instant(0))
    _ = lamp.begin(at: instant(0))
    #expect(lamp.delay(at: instant(0)) == .milliseconds(1200) + LampSwitch.longestSettling)
    let (early, late, again) = (
      lamp.isOverdue(at: instant(999)), lamp.isOverdue(at: instant(1000)),
      lamp.isOverdue(at: instant(1001))
    )
    #expect(!early && late && !again)
    #expect(lamp.counts(frame(from: 1000, to: 1040)))
    lamp.changed(at: instant(60_000))
    #expect(!lamp.isFailed && !lamp.counts(frame(from: 60_100, to: 60_140)))
  }

  /// A frame that was not wholly lit never counts, unless the lamp has failed.
  @Test(arguments: 0..<50 as Range<UInt64>)
  func `no frame counts without light`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var lamp = lamp(lead: 50, hold: Int64.random(in: 0...100, using: &random))
    var now: Int64 = 0
    var changing: (isOn: Bool, began: Int64)?
    // The true state of the lamp: dark from the call of off, lit from the end of on.
    var litSince: Int64?
    for _ in 0..<400 {
      now += Int64.random(in: 1...60, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: lamp.need(Bool.random(using: &random), at: instant(now))
      case 1 where changing != nil:
        if let change = changing, change.isOn { litSince = now }
        lamp.changed(at: instant(now))
        changing = nil
      case 2 where changing != nil && changing?.isOn == true && Bool.random(using: &random):
        lamp.failed(at: instant(now))
        changing = nil
      case 3:
        if let isOn = lamp.begin(at: instant(now)) {
          #expect(changing == nil, "seed \(seed)")
          changing = (isOn, now)
          if !isOn { litSince = nil }
        }
      default:
        let length = Int64.random(in: 15...80, using: &random)
        let isWhollyLit = litSince.map { now - length >= $0 + 50 } ?? false
        let counts = lamp.counts(frame(from: now - length, to: now))
        if isWhollyLit { #expect(counts, "seed \(seed), \(now)") }
        if counts, !lamp.isFailed, changing?.isOn != false {
          #expect(isWhollyLit, "seed \(seed), \(now)")
        }
      }
    }
  }
}
