import Capture
import Devices

/// The heat of the last day, the worst of each minute, as a value.
///
/// A minute without a reading has no sample. ``Kept`` carries the history to the next run of the
/// service.
struct ThermalHistory: Sendable {
  /// The heat of one minute.
  struct Sample: Sendable, Hashable {
    /// The beginning of the minute, a multiple of ``ThermalHistory/period`` since the boot.
    ///
    /// Before the boot, it is negative.
    let start: MonotonicInstant
    /// The highest temperature of each zone that was read, in degrees Celsius, by the zone's name.
    var celsius: [String: Double] = [:]
    /// The hottest state.
    var state = ThermalState.nominal
    /// The flags of the firmware that were set.
    var flags: ThrottleFlags = []
  }

  /// The time from one sample to the next.
  static let period = Duration.seconds(60)
  /// The age from which samples are forgotten.
  static let span = Duration.seconds(86_400)

  /// The samples, the oldest first; 1440 at most.
  var samples: [Sample] = []

  /// Takes a reading.
  mutating func take(_ heat: RigMonitor.Heat, at now: MonotonicInstant) {
    let period = Self.period.wholeNanoseconds
    let start = MonotonicInstant(nanoseconds: now.nanoseconds / period * period)
    if samples.last?.start != start {
      samples.removeFirst(samples.prefix { $0.start.duration(to: start) >= Self.span }.count)
      samples.append(Sample(start: start))
    }
    let last = samples.count - 1
    for temperature in heat.temperatures {
      guard let celsius = temperature.celsius else { continue }
      let before = samples[last].celsius[temperature.zone]
      samples[last].celsius[temperature.zone] = max(celsius, before ?? celsius)
    }
    samples[last].state = max(samples[last].state, heat.state)
    samples[last].flags.formUnion(heat.throttle?.now ?? [])
  }
}
