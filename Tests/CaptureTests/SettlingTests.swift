import Capture
import Devices
import TestSupport
import Testing

/// Presses while the camera's automatics look for their values.
@Suite struct SettlingTests {
  private func instant(_ milliseconds: Double) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: Int64(milliseconds * 1e6))
  }

  private func frame(
    _ id: UInt64, at milliseconds: Double, adjusting: CameraAdjustment? = nil
  ) -> FrameInfo {
    var frame = FrameInfo(id: id, sequence: id, timestamp: instant(milliseconds))
    if let adjusting { frame.adjust(adjusting) }
    return frame
  }

  /// A selector with frames each 33 ms, of which those from one to another adjust something.
  private func frames(
    _ selector: inout FrameSelector, _ numbers: ClosedRange<Int>, adjusting: CameraAdjustment?
  ) -> [FrameSelection] {
    numbers.flatMap { number in
      selector.frame(frame(UInt64(number), at: Double(number) * 33, adjusting: adjusting)).chosen
    }
  }

  @Test(arguments: CameraAdjustment.allCases)
  func theFirstFrameThatHasSettledIsTaken(adjustment: CameraAdjustment) {
    var selector = FrameSelector(ringFrameCount: 4, settlingLimit: .milliseconds(500))
    _ = frames(&selector, 0...1, adjusting: adjustment)
    _ = selector.press(1, at: instant(40), deadline: instant(2500))
    #expect(frames(&selector, 2...9, adjusting: adjustment).isEmpty)
    let chosen = frames(&selector, 10...10, adjusting: nil)
    #expect(chosen.map(\.frame.id) == [10])
    #expect(chosen.first?.error == .milliseconds(290))
  }

  @Test func aPressThatComesLateWaitsToo() {
    var selector = FrameSelector(ringFrameCount: 4, settlingLimit: .milliseconds(500))
    _ = frames(&selector, 0...3, adjusting: .focus)
    #expect(selector.press(1, at: instant(40), deadline: instant(2500)) == .waits)
    #expect(frames(&selector, 4...4, adjusting: nil).map(\.frame.id) == [4])
  }

  @Test func afterTheLimitTheNearestThatIsLeftIsTakenAsItIs() {
    var selector = FrameSelector(ringFrameCount: 4, settlingLimit: .milliseconds(200))
    _ = frames(&selector, 0...1, adjusting: .focus)
    _ = selector.press(1, at: instant(40), deadline: instant(2500))
    #expect(frames(&selector, 2...7, adjusting: .focus).isEmpty)
    let chosen = frames(&selector, 8...8, adjusting: .focus)
    #expect(chosen.map(\.frame.id) == [5])
    #expect(chosen.first?.frame.adjusting == [.focus])
  }

  /// Before the page was turned the lens was at rest: that is another page.
  @Test func aFrameFromLongBeforeThePressIsNotTaken() {
    var selector = FrameSelector(ringFrameCount: 20, settlingLimit: .milliseconds(500))
    _ = frames(&selector, 0...3, adjusting: nil)
    _ = frames(&selector, 4...9, adjusting: .focus)
    _ = selector.press(1, at: instant(300), deadline: instant(2500))
    #expect(frames(&selector, 10...11, adjusting: .focus).isEmpty)
    #expect(frames(&selector, 12...12, adjusting: nil).map(\.frame.id) == [12])
  }

  @Test func withoutALimitTheNearestIsTakenAndSaysSo() {
    var selector = FrameSelector(ringFrameCount: 4)
    _ = frames(&selector, 0...1, adjusting: .exposure)
    _ = selector.press(1, at: instant(40), deadline: instant(2500))
    let chosen = frames(&selector, 2...2, adjusting: .exposure)
    #expect(chosen.first?.frame.adjusting == [.exposure])
  }
}
