import Devices

/// The choice of the encoder's preset by the measured time of encoding.
///
/// A preset that takes too long is replaced by a faster one before frames have to be dropped. The
/// picture is then less sharp at the same bit rate.
struct EncodingPace {
  /// The presets of libx264 in use, from the best to the fastest.
  enum Preset: String, Sendable, Hashable, CaseIterable {
    case veryfast, superfast, ultrafast
  }

  /// The number of frames whose mean time decides.
  static let frameCount = 12
  /// The share of the time between frames that encoding may take.
  static let share = 0.8

  /// The preset to encode with.
  private(set) var preset = Preset.veryfast
  private let interval: Duration
  private var times: [Duration] = []

  /// Makes a choice for frames that come in an interval, above 0.
  init(interval: Duration) {
    self.interval = interval
  }

  /// Notes the time of encoding a frame.
  ///
  /// - Returns: the reason for the new preset, a sentence; `nil` while the preset is kept.
  mutating func note(_ time: Duration) -> String? {
    times.append(time)
    guard times.count == EncodingPace.frameCount else { return nil }
    let mean = times.reduce(.zero, +) / times.count
    times = []
    let faster = EncodingPace.Preset.allCases.drop { $0 != preset }.dropFirst().first
    guard mean > interval * EncodingPace.share, let faster else { return nil }
    defer { preset = faster }
    return
      "The preset \"\(preset.rawValue)\" takes \(EncodingPace.inWords(mean)) a frame, and a frame "
      + "comes every \(EncodingPace.inWords(interval)): the recording goes on with "
      + "\"\(faster.rawValue)\"."
  }

  private static func inWords(_ duration: Duration) -> String {
    "\((duration.inMilliseconds * 10).rounded() / 10) ms"
  }
}
