import Devices

/// Finds out whether pulses that are too short for a press come so often that the cable is at fault.
///
/// | state | event | next |
/// |---|---|---|
/// | in order | ``limit`` pulses within ``window`` | frequent |
/// | frequent | none for ``quiet`` | in order |
struct SpikeCount: Sendable, Hashable {
  static let limit = 10
  static let window = Duration.seconds(60)
  static let quiet = Duration.seconds(10)

  private var times: [MonotonicInstant] = []
  private(set) var isFrequent = false

  /// When ``advance(to:)`` has something to say.
  var deadline: MonotonicInstant? { isFrequent ? times.last?.advanced(by: Self.quiet) : nil }

  /// Takes a pulse; returns whether they are frequent from now on.
  mutating func add(at time: MonotonicInstant) -> Bool {
    times.append(time)
    times.removeFirst(max(0, times.count - Self.limit))
    guard !isFrequent, times.count == Self.limit,
      times[0].duration(to: time) <= Self.window
    else { return false }
    isFrequent = true
    return true
  }

  /// Returns whether they are frequent no longer.
  mutating func advance(to now: MonotonicInstant) -> Bool {
    guard let deadline, deadline <= now else { return false }
    times = []
    isFrequent = false
    return true
  }
}
