import CLibcameraShim
import Testing

/// The time from frame to frame that a camera without a control for its rate keeps by itself.
@Suite struct OwnIntervalTests {
  /// Returns the interval learned from frames with these times between them, in milliseconds.
  private func learned(_ intervals: [Int64]) -> Int64 {
    var time: Int64 = 1_000_000_000
    var timestamps = [time]
    for interval in intervals {
      time += interval * 1_000_000
      timestamps.append(time)
    }
    var learned: Int64 = -1
    #expect(platen_rehearse_interval(timestamps, timestamps.count, &learned) == 0)
    return learned / 1_000_000
  }

  @Test func `a rhythm is unknown before seven intervals`() {
    #expect(learned([40, 40, 40, 40, 40, 40]) == 0)
    #expect(learned([40, 40, 40, 40, 40, 40, 40]) == 40)
  }

  @Test(
    arguments: [
      [15, 25, 40, 40, 40, 40, 40], [5, 200, 40, 40, 40, 40, 40], [80, 40, 10, 40, 40, 40, 30],
      [10, 10, 10, 40, 40, 40, 40],
    ] as [[Int64]])
  func `a start out of step does not count`(intervals: [Int64]) {
    #expect(learned(intervals) == 40)
  }

  @Test func `after three quick frames in a row the rate is learned anew`() {
    let dark = [Int64](repeating: 100, count: 7)
    #expect(learned(dark + [40, 40, 100]) == 100)
    #expect(learned(dark + [40, 40, 40]) == 0)
    #expect(learned(dark + [Int64](repeating: 40, count: 10)) == 40)
  }

  @Test func `a burst of late frames is no rate`() {
    let steady = [Int64](repeating: 100, count: 7)
    #expect(learned(steady + [300, 0, 0, 0] + steady) == 100)
  }
}
