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
  /// The presets that remain to be tried, the next one first.
  private var faster = Preset.allCases.dropFirst()
  private let interval: Duration
  private var times: [(encoding: Duration, gap: Duration)] = []

  /// Makes a choice for frames that come in an interval, above 0, or less often.
  init(interval: Duration) {
    self.interval = interval
  }

  /// Notes the time of encoding a frame, and changes the preset where encoding takes too long.
  ///
  /// - Parameters:
  ///   - time: the time of encoding.
  ///   - gap: the time from the frame before without that of writing; a hot rig makes it longer
  ///     than the interval.
  ///   - change: a closure that has the encoder use a preset, and returns whether it can.
  /// - Returns: the change or its lack with the reason, a sentence; `nil` while nothing changes.
  /// - Throws: the errors of `change`.
  mutating func note<Failure: Error>(
    _ time: Duration, after gap: Duration, change: (Preset) throws(Failure) -> Bool
  ) throws(Failure) -> String? {
    times.append((time, max(gap, interval)))
    guard times.count == EncodingPace.frameCount else { return nil }
    let mean = times.reduce(.zero) { $0 + $1.encoding } / times.count
    let interval = times.reduce(.zero) { $0 + $1.gap } / times.count
    times = []
    guard mean > interval * EncodingPace.share, !faster.isEmpty else { return nil }
    let reason =
      "The preset \"\(preset.rawValue)\" takes \(EncodingPace.inWords(mean)) a frame, and a frame "
      + "comes every \(EncodingPace.inWords(interval)): "
    while let next = faster.popFirst() {
      if try change(next) {
        preset = next
        return reason + "the recording goes on with \"\(next.rawValue)\"."
      }
    }
    return reason + "no faster preset can go on in the same file, so frames may be dropped."
  }

  private static func inWords(_ duration: Duration) -> String {
    "\((duration.inMilliseconds * 10).rounded() / 10) ms"
  }
}
