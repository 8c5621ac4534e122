import Capture
import Devices
import TestSupport
import Testing

/// Presses while the camera's automatic modes look for their values.
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

  /// Feeds a selector frames each 33 ms, in which a given aspect adjusts itself.
  private func frames(
    _ selector: inout FrameSelector, _ numbers: ClosedRange<Int>, adjusting: CameraAdjustment?
  ) -> [FrameSelection] {
    numbers.flatMap { number in
      selector.frame(frame(UInt64(number), at: Double(number) * 33, adjusting: adjusting)).chosen
    }
  }

  @Test(arguments: CameraAdjustment.allCases)
  func `the first settled frame is taken`(adjustment: CameraAdjustment) {
    var selector = FrameSelector(ringFrameCount: 4, settlingLimit: .milliseconds(500))
    _ = frames(&selector, 0...1, adjusting: adjustment)
    _ = selector.press(1, at: instant(40), deadline: instant(2500))
    #expect(frames(&selector, 2...9, adjusting: adjustment).isEmpty)
    let chosen = frames(&selector, 10...10, adjusting: nil)
    #expect(chosen.map(\.frame.id) == [10])
    #expect(chosen.first?.error == .milliseconds(290))
  }

  @Test func `a late press waits too`() {
    var selector = FrameSelector(ringFrameCount: 4, settlingLimit: .milliseconds(500))
    _ = frames(&selector, 0...3, adjusting: .focus)
    #expect(selector.press(1, at: instant(40), deadline: instant(2500)) == .waits)
    #expect(frames(&selector, 4...4, adjusting: nil).map(\.frame.id) == [4])
  }

  @Test func `after the limit the nearest remaining frame is taken unsettled`() {
    var selector = FrameSelector(ringFrameCount: 4, settlingLimit: .milliseconds(200))
    _ = frames(&selector, 0...1, adjusting: .focus)
    _ = selector.press(1, at: instant(40), deadline: instant(2500))
    #expect(frames(&selector, 2...7, adjusting: .focus).isEmpty)
    let chosen = frames(&selector, 8...8, adjusting: .focus)
    #expect(chosen.map(\.frame.id) == [5])
    #expect(chosen.first?.frame.adjusting == [.focus])
  }

  /// Before the page was turned the lens was at rest, but those frames show another page.
  @Test func `a frame from long before the press is not taken`() {
    var selector = FrameSelector(ringFrameCount: 20, settlingLimit: .milliseconds(500))
    _ = frames(&selector, 0...3, adjusting: nil)
    _ = frames(&selector, 4...9, adjusting: .focus)
    _ = selector.press(1, at: instant(300), deadline: instant(2500))
    #expect(frames(&selector, 10...11, adjusting: .focus).isEmpty)
    #expect(frames(&selector, 12...12, adjusting: nil).map(\.frame.id) == [12])
  }

  @Test func `without a limit the nearest frame is taken and marked`() {
    var selector = FrameSelector(ringFrameCount: 4)
    _ = frames(&selector, 0...1, adjusting: .exposure)
    _ = selector.press(1, at: instant(40), deadline: instant(2500))
    let chosen = frames(&selector, 2...2, adjusting: .exposure)
    #expect(chosen.first?.frame.adjusting == [.exposure])
  }

  /// A frame that is missing for another reason is not waited for.
  @Test func `a limit has no effect while the camera does not adjust itself`() {
    var selector = FrameSelector(ringFrameCount: 4, settlingLimit: .seconds(2))
    _ = frames(&selector, 0...3, adjusting: nil)
    _ = selector.press(1, at: instant(800), deadline: instant(3000))
    let paused = selector.frame(frame(9, at: 1500))
    #expect(paused.missed.map(\.number) == [1] && paused.chosen.isEmpty)
    var slow = FrameSelector(ringFrameCount: 4, settlingLimit: .milliseconds(500))
    for number in 0...3 { _ = slow.frame(frame(UInt64(number), at: Double(number) * 400)) }
    _ = slow.press(2, at: instant(1380), deadline: instant(3000))
    #expect(slow.frame(frame(4, at: 1600)).chosen.map(\.frame.id) == [3])
  }

  @Test func `a frame that was waited for is not far`() {
    var selector = FrameSelector(ringFrameCount: 3, settlingLimit: .milliseconds(500))
    _ = frames(&selector, 0...6, adjusting: .focus)
    _ = frames(&selector, 7...9, adjusting: nil)
    let choice = selector.press(1, at: instant(70), deadline: instant(2500))
    guard case .frame(let selection) = choice else {
      Issue.record("\(choice)")
      return
    }
    #expect(selection.frame.id == 7)
    let other = selector.replacement(for: selection, pressedAt: instant(70))
    #expect(other?.frame.id == 8)
  }
}
