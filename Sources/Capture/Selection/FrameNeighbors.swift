import Devices

/// The frames to average with a chosen one: its neighbors that were taken as it was.
extension FrameSelector {
  /// The maximum number of neighbors; with all of them, noise falls by 8 dB.
  static let neighborLimit = 6

  /// Returns the frames of the ring that were taken as the given one was, the nearest first.
  ///
  /// A frame counts when its exposure time and its gains differ by at most
  /// ``BracketStep/exposureTolerance``. Both frames have a known time, the same part of the sensor,
  /// and no automatic that still adjusts. The selector has no frames of another light. Motion is
  /// left to the average, tile by tile.
  ///
  /// - Parameters:
  ///   - frame: the chosen frame.
  ///   - count: the maximum number of frames, besides ``neighborLimit``.
  func neighbors(of frame: FrameInfo, atMost count: Int) -> [FrameInfo] {
    func distance(_ other: FrameInfo) -> Int64 {
      abs(frame.exposureMidpoint.duration(to: other.exposureMidpoint).wholeNanoseconds)
    }
    let alike = frames.filter { $0.id != frame.id && $0.isTaken(like: frame) }
    let nearest = alike.sorted { distance($0) < distance($1) }
    return Array(nearest.prefix(max(0, min(count, Self.neighborLimit))))
  }

  /// Returns the nearest frame besides a chosen one; `nil` when none is of the press's moment.
  func alternative(to selection: FrameSelection) -> FrameSelection? {
    var others = self
    return others.replacement(for: selection, pressedAt: selection.pressTime)
  }
}

extension FrameInfo {
  /// Returns whether two frames of a static scene differ in nothing but noise, by their own report.
  ///
  /// Numbers that neither frame reports count as equal.
  fileprivate func isTaken(like other: FrameInfo) -> Bool {
    func differ(_ one: Double?, _ other: Double?, by tolerance: Double) -> Bool {
      guard let one, let other else { return (one == nil) != (other == nil) }
      return abs(one - other) > tolerance
    }
    func exposuresDiffer(_ one: Double?, _ other: Double?) -> Bool {
      differ(one, other, by: BracketStep.exposureTolerance * abs(one ?? 0))
    }
    func nanoseconds(_ frame: FrameInfo) -> Double? {
      frame.exposureDuration.map { Double($0.wholeNanoseconds) }
    }
    func gain(_ frame: FrameInfo) -> Double? {
      frame.analogueGain.map { $0 * (frame.digitalGain ?? 1) }
    }
    return isTimestampKnown && other.isTimestampKnown && adjusting.isEmpty
      && other.adjusting.isEmpty && crop == other.crop
      && videoZoomFactor == other.videoZoomFactor
      && !exposuresDiffer(nanoseconds(self), nanoseconds(other))
      && !exposuresDiffer(gain(self), gain(other))
      && !differ(lensPosition, other.lensPosition, by: BracketStep.lensTolerance)
  }
}
