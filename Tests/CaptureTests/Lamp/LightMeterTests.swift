import Devices
import Testing

@testable import Capture

/// The decision whether a page needs the lamp, from the exposures of frames without its light.
@Suite struct LightMeterTests {
  private func frame(
    _ exposure: Duration, gain: Double? = 1, digital: Double? = nil,
    _ state: AdjustmentState? = .converged
  ) -> FrameInfo {
    FrameInfo(
      id: 1, sequence: 1, timestamp: MonotonicInstant(nanoseconds: 0), exposureDuration: exposure,
      analogueGain: gain, digitalGain: digital, exposureState: state)
  }

  private func isDark(after frames: [FrameInfo]) -> Bool? {
    var meter = LightMeter(threshold: .milliseconds(100))
    for frame in frames { meter.add(frame) }
    return meter.isDark
  }

  @Test func `the exposure at ISO 100 decides`() {
    #expect(isDark(after: [frame(.milliseconds(99))]) == false)
    #expect(isDark(after: [frame(.milliseconds(100))]) == true)
    #expect(isDark(after: [frame(.milliseconds(20), gain: 4.9)]) == false)
    #expect(isDark(after: [frame(.milliseconds(20), gain: 5.1)]) == true)
    #expect(isDark(after: [frame(.milliseconds(20), gain: 2.6, digital: 2)]) == true)
  }

  @Test func `a page has to become half a stop brighter to count as bright again`() {
    var meter = LightMeter(threshold: .milliseconds(100))
    var answers: [Bool?] = []
    for milliseconds in [110, 90, 71, 69, 90, 99, 100] {
      for _ in 0..<LightMeter.frameCount { meter.add(frame(.milliseconds(milliseconds))) }
      answers.append(meter.isDark)
    }
    #expect(answers == [true, true, true, false, false, false, true])
  }

  @Test func `a single frame does not change the answer`() {
    let bright = frame(.milliseconds(50))
    let shadow = frame(.milliseconds(500))
    #expect(isDark(after: [bright, bright, bright, shadow]) == false)
    #expect(isDark(after: [bright, bright, bright, shadow, shadow]) == true)
  }

  @Test func `a camera that measures nothing gives no answer`() {
    #expect(isDark(after: []) == nil)
    var silent = FrameInfo(id: 1, sequence: 1, timestamp: MonotonicInstant(nanoseconds: 0))
    #expect(isDark(after: [silent]) == nil)
    silent.exposureDuration = .milliseconds(200)
    #expect(isDark(after: [silent]) == nil, "the gain is unknown")
    #expect(isDark(after: [frame(.milliseconds(200), .searching)]) == nil)
    #expect(isDark(after: [frame(.milliseconds(200), .locked)]) == nil)
    #expect(isDark(after: [frame(.milliseconds(200), nil)]) == true)
  }

  @Test func `a lasting fixed exposure drops the answer and a bracket does not`() {
    var meter = LightMeter(threshold: .milliseconds(100))
    meter.add(frame(.milliseconds(200)))
    for _ in 1..<LightMeter.longestFixed { meter.add(frame(.milliseconds(1), .locked)) }
    #expect(meter.isDark == true)
    meter.add(frame(.milliseconds(1), .locked))
    #expect(meter.isDark == nil)
  }
}
