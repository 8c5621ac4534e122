import Devices

/// Detects pulses too short for a press that are so frequent that the cable is faulty.
///
/// | state | event | next |
/// |---|---|---|
/// | in order | ``limit`` pulses within ``window`` | frequent |
/// | frequent | no pulse for ``quiet`` | in order |
struct SpikeCount: Sendable, Hashable {
  static let limit = 10
  static let window = Duration.seconds(60)
  static let quiet = Duration.seconds(10)

  private var times: [MonotonicInstant] = []
  private(set) var isFrequent = false

  /// The time at which ``advance(to:)`` may end the frequent state.
  var deadline: MonotonicInstant? { isFrequent ? times.last?.advanced(by: Self.quiet) : nil }

  /// Takes a pulse; returns whether pulses have become frequent.
  mutating func add(at time: MonotonicInstant) -> Bool {
    times.append(time)
    times.removeFirst(max(0, times.count - Self.limit))
    guard !isFrequent, times.count == Self.limit,
      times[0].duration(to: time) <= Self.window
    else { return false }
    isFrequent = true
    return true
  }

  /// Returns whether pulses have ceased to be frequent.
  mutating func advance(to now: MonotonicInstant) -> Bool {
    guard let deadline, deadline <= now else { return false }
    times = []
    isFrequent = false
    return true
  }
}
