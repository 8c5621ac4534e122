import Devices

/// The number of frames that the ring must keep for the choice.
extension FrameSelector {
  /// The possible numbers of frames to keep.
  package static let ringFrameCounts = 3...20
  /// The time from a press to the lease of its frame that the ring must cover.
  ///
  /// A push counts 5 ms after its edge, and its report waits 10 ms for late edges. The rest is for
  /// a contact that bounces, and for a busy machine. A camera's pipeline gives more time.
  package static let choiceTime = Duration.milliseconds(50)

  /// Returns ``choiceTime``, extended for a button whose pushes count later than after 5 ms.
  ///
  /// - Parameter shortestPress: the time after its edge at which a push counts.
  package static func longestChoice(shortestPress: Duration) -> Duration {
    choiceTime + max(.zero, shortestPress - .milliseconds(5))
  }

  /// Returns the number of frames to keep at a frame rate, within ``ringFrameCounts``.
  ///
  /// The nearest frame lies up to half an interval before the press, and its neighbor one more.
  /// Both must not be overwritten within the choice time after the press.
  package static func fewestFrames(
    at frameRate: Double, choiceTime: Duration = FrameSelector.choiceTime
  ) -> Int {
    let count = frameRate * choiceTime.inMilliseconds / 1000 + 2.5
    return Int(
      min(Double(ringFrameCounts.upperBound), max(Double(ringFrameCounts.lowerBound), count)))
  }
}
