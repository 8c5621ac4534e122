import Devices

/// Decides from the frames without the lamp's light whether the page is too dark.
///
/// The measure is the exposure at ISO 100 that the camera's automatic chose: exposure time × gain.
/// Twice the measure stands for half the light. The median of the newest frames counts. A page that
/// counts as dark has to become half a stop brighter than the threshold to count as bright. The
/// answer stays while no frame comes without the lamp's light.
struct LightMeter: Sendable, Hashable {
  /// The part of the threshold below which a dark page counts as bright again.
  static let hysteresis = 0.7
  /// The number of frames of which the median counts.
  static let frameCount = 3
  /// The number of frames with a fixed exposure after which the answer is dropped.
  ///
  /// A fixed exposure does not follow the light. For a few frames, a bracket may have fixed it.
  static let longestFixed = 60

  /// The exposure at ISO 100 from which a page is too dark, above 0.
  let threshold: Duration
  /// Whether the page is too dark; `nil` while the camera has not measured the light.
  private(set) var isDark: Bool?
  private var exposures: [Duration] = []
  private var fixedCount = 0

  init(threshold: Duration) {
    self.threshold = threshold
  }

  /// Takes a frame that was exposed without the lamp's light.
  mutating func add(_ frame: FrameInfo) {
    guard frame.exposureState != .searching, let duration = frame.exposureDuration,
      let gain = frame.analogueGain
    else { return }
    guard frame.exposureState != .locked else {
      fixedCount += 1
      if fixedCount >= Self.longestFixed { reset() }
      return
    }
    fixedCount = 0
    exposures.append(duration * (gain * (frame.digitalGain ?? 1)))
    exposures.removeFirst(max(0, exposures.count - Self.frameCount))
    let median = exposures.sorted()[exposures.count / 2]
    isDark = median >= (isDark == true ? threshold * Self.hysteresis : threshold)
  }

  /// Forgets all frames, because the next ones are of another stream.
  mutating func reset() { self = LightMeter(threshold: threshold) }
}
