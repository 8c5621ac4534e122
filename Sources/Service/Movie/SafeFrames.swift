import Devices

/// The frames of a part that a recorder has taken, and those of them that are on stable storage.
struct SafeFrames {
  /// The number of taken frames.
  private(set) var takenCount = 0
  /// The number of frames on stable storage.
  private(set) var count = 0
  private var first: MonotonicInstant?
  private var end: MonotonicInstant?
  /// The times of the taken frames that are not known to be safe, about a second of them.
  private var pending: [MonotonicInstant] = []

  /// Notes a taken frame, later than the one before.
  mutating func take(_ time: MonotonicInstant) {
    first = first ?? time
    takenCount += 1
    pending.append(time)
  }

  /// Notes that all frames before an instant are safe.
  mutating func note(safeBefore instant: MonotonicInstant) {
    let safe = pending.prefix { $0 < instant }
    guard !safe.isEmpty else { return }
    count += safe.count
    pending.removeFirst(safe.count)
    end = instant
  }

  /// The time from the first safe frame to the end of the last one.
  var duration: Duration {
    guard let first, let end else { return .zero }
    return first.duration(to: end)
  }
}
