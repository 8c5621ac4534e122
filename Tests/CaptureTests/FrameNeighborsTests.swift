import Devices
import Testing

@testable import Capture

/// The frames of the ring that were taken as a chosen one was.
@Suite struct FrameNeighborsTests {
  private static func frame(
    _ id: UInt64, at milliseconds: Int64, _ change: (inout FrameInfo) -> Void = { _ in }
  ) -> FrameInfo {
    var frame = FrameInfo(
      id: id, sequence: id,
      timestamp: MonotonicInstant(nanoseconds: milliseconds * 1_000_000),
      exposureDuration: .milliseconds(10), analogueGain: 2, digitalGain: 1, lensPosition: 3,
      exposureState: .converged, focusState: .focused, videoZoomFactor: 1)
    change(&frame)
    return frame
  }

  /// Returns the IDs of the neighbors of frame 3 among frames of a ring.
  private func neighbors(_ frames: [FrameInfo], atMost count: Int = 9, ring: Int = 8) -> [UInt64] {
    var selector = FrameSelector(ringFrameCount: ring)
    for frame in frames { _ = selector.frame(frame) }
    return selector.neighbors(of: Self.frame(3, at: 300), atMost: count).map(\.id)
  }

  @Test func `the nearest frames come first`() {
    let times: [Int64] = [100, 210, 300, 400, 505]
    let frames = times.indices.map { Self.frame(UInt64($0 + 1), at: times[$0]) }
    #expect(neighbors(frames) == [2, 4, 1, 5])
    #expect(neighbors(frames, atMost: 2) == [2, 4])
    #expect(neighbors(frames, atMost: 0) == [])
    #expect(neighbors(frames, atMost: -1) == [])
    #expect(neighbors(frames, ring: 3) == [4, 5], "the ring has moved past the others")
  }

  @Test func `there are never more neighbors than the limit`() {
    let frames = (1...12).map { Self.frame(UInt64($0), at: Int64($0) * 100) }
    #expect(neighbors(frames, atMost: 20, ring: 20).count == FrameSelector.neighborLimit)
  }

  struct Difference: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isAlike: Bool
    let change: @Sendable (inout FrameInfo) -> Void
  }

  static let differences = [
    Difference(testDescription: "exposure 2 %", isAlike: true) {
      $0.exposureDuration = .microseconds(10_190)
    },
    Difference(testDescription: "exposure 3 %", isAlike: false) {
      $0.exposureDuration = .microseconds(10_300)
    },
    Difference(testDescription: "gain 1 %", isAlike: true) { $0.analogueGain = 2.02 },
    Difference(testDescription: "gain 3 %", isAlike: false) { $0.digitalGain = 1.03 },
    Difference(testDescription: "unreported gain", isAlike: false) { $0.analogueGain = nil },
    Difference(testDescription: "lens moved", isAlike: false) { $0.lensPosition = 3.2 },
    Difference(testDescription: "zoomed", isAlike: false) { $0.videoZoomFactor = 2 },
    Difference(testDescription: "another part of the sensor", isAlike: false) {
      $0.crop = SensorRegion(left: 8, top: 0, size: FrameSize(width: 64, height: 36))
    },
    Difference(testDescription: "exposure adjusting", isAlike: false) {
      $0.exposureState = .searching
    },
    Difference(testDescription: "lens adjusting", isAlike: false) { $0.focusState = .scanning },
  ]

  @Test(arguments: differences)
  func `a frame that was taken otherwise is no neighbor`(_ difference: Difference) {
    let other = Self.frame(4, at: 400, difference.change)
    #expect(neighbors([Self.frame(3, at: 300), other]) == (difference.isAlike ? [4] : []))
  }

  @Test func `a frame of an unknown time is no neighbor`() {
    var selector = FrameSelector(ringFrameCount: 4)
    let times: [Int64] = [100, 200, 300]
    let frames = times.map { time in
      Self.frame(UInt64(time / 100), at: time) { $0.isTimestampKnown = false }
    }
    for frame in frames { _ = selector.frame(frame) }
    #expect(selector.neighbors(of: frames[2], atMost: 3).isEmpty)
  }

  @Test func `frames of another light are no neighbors`() {
    var selector = FrameSelector(ringFrameCount: 4)
    _ = selector.frame(Self.frame(1, at: 100))
    selector.lightChanged()
    _ = selector.frame(Self.frame(2, at: 200))
    _ = selector.frame(Self.frame(3, at: 300))
    #expect(selector.neighbors(of: Self.frame(3, at: 300), atMost: 3).map(\.id) == [2])
  }

  /// A camera that reports neither exposure nor gain leaves the decision to the average.
  @Test func `frames without a report are alike`() {
    func bare(_ id: UInt64) -> FrameInfo {
      FrameInfo(
        id: id, sequence: id, timestamp: MonotonicInstant(nanoseconds: Int64(id) * 100_000_000))
    }
    var selector = FrameSelector(ringFrameCount: 4)
    for id in 1...3 as ClosedRange<UInt64> { _ = selector.frame(bare(id)) }
    #expect(selector.neighbors(of: bare(3), atMost: 3).map(\.id) == [2, 1])
  }
}
