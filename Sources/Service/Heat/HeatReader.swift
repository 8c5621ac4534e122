import Capture
import Devices
import Logging

/// A reader of a board's temperatures and its firmware's flags in parallel.
///
/// A sensor that does not answer within ``ReadingRound/limit`` counts as unreadable. A read
/// failure is logged once. Unreadable flags keep their last value. Without flags, the value is
/// empty.
struct HeatReader {
  /// The time after which a board without throttle flags is asked for them again.
  static let absentPause = Duration.seconds(60)

  /// The result of one round of readings.
  struct Round {
    /// The zones in their order; `nil` for an unreadable temperature.
    var temperatures: [(zone: String, celsius: Double?)] = []
    /// The firmware's flags; `nil` when there are none, which is normal, or they cannot be read.
    var throttle: ThrottleStatus?
    /// The reason why the firmware's flags cannot be read; `nil` when they can be, or are absent.
    var throttleProblem: String?
    /// The current flags, or the last readable ones; empty without flags.
    var flags: ThrottleFlags = []

    /// The temperatures that could be read.
    var readings: [ThermalReading] {
      temperatures.compactMap { entry in
        entry.celsius.map { ThermalReading(zone: entry.zone, celsius: $0) }
      }
    }
  }

  private let readings: ReadingRound
  private let zones: [(name: String, reading: TimedReading<Double>)]
  private let throttle: (name: String, reading: TimedReading<ThrottleStatus>)?
  private let clock: any MonotonicClock
  private let logger: Logger
  /// The places of the zones that could not be read the last time; that of the flags is the last.
  private var unreadable: Set<Int> = []
  private var hasWarnedOfMissingFlags = false
  private var throttlePause: MonotonicInstant?
  private var lastFlags: ThrottleFlags = []

  init(
    sensors: [any TemperatureSensor], throttle: (any ThrottleSensor)?, clock: any MonotonicClock,
    logger: Logger
  ) {
    let readings = ReadingRound(clock: clock)
    self.readings = readings
    zones = sensors.map { sensor in
      let reading = TimedReading(of: sensor.name, in: readings) { () throws(DeviceError) in
        try await sensor.temperature()
      }
      return (sensor.name, reading)
    }
    self.throttle = throttle.map { sensor in
      let reading = TimedReading(of: sensor.name, in: readings) { () throws(DeviceError) in
        try await sensor.status()
      }
      return (sensor.name, reading)
    }
    self.clock = clock
    self.logger = logger
  }

  /// Reads all zones and flags once.
  mutating func read() async -> Round {
    let throttle = isThrottlePaused ? nil : self.throttle
    readings.begin()
    for zone in zones { zone.reading.ask() }
    throttle?.reading.ask()
    await readings.end()
    var round = Round()
    round.temperatures.reserveCapacity(zones.count)
    for (place, zone) in zones.enumerated() {
      let celsius = note(
        zone.reading.result, at: place, "a temperature cannot be read, going on without it")
      round.temperatures.append((zone.name, celsius))
    }
    guard let throttle else { return round }
    let result = throttle.reading.result
    if case .failure(let error) = result, error.code == .absent {
      throttlePause = clock.now.advanced(by: Self.absentPause)
      lastFlags = []
    } else {
      if case .failure(let error) = result { round.throttleProblem = error.description }
      round.throttle = note(
        result, at: zones.count,
        "the throttle flags cannot be read, going on with the last ones")
      if round.throttle?.hasFlags == false, !hasWarnedOfMissingFlags {
        hasWarnedOfMissingFlags = true
        logger.warning(
          "the firmware's throttle flags are nowhere; only undervoltage is seen",
          metadata: ["sensor": "\(throttle.name)"])
      }
      lastFlags = round.throttle?.now ?? lastFlags
      round.flags = lastFlags
    }
    return round
  }

  /// Whether a board without throttle flags is not asked for them now.
  private var isThrottlePaused: Bool { throttlePause.map { clock.now < $0 } ?? false }

  /// Returns the value of a reading; logs a fault when it begins.
  private mutating func note<Value>(
    _ result: Result<Value, DeviceError>, at place: Int, _ message: Logger.Message
  ) -> Value? {
    switch result {
    case .success(let value):
      unreadable.remove(place)
      return value
    case .failure(let error):
      if unreadable.insert(place).inserted {
        logger.warning(message, metadata: ["error": "\(error)"])
      }
      return nil
    }
  }
}
