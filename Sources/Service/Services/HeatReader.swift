import Capture
import Devices
import Logging

/// A reader of a board's temperatures and its firmware's flags in parallel.
///
/// A sensor that does not answer within ``PatientReading/limit`` counts as unreadable. A read
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
    /// The current flags, or the last readable ones; empty without flags.
    var flags: ThrottleFlags = []

    /// The temperatures that could be read.
    var readings: [ThermalReading] {
      temperatures.compactMap { entry in
        entry.celsius.map { ThermalReading(zone: entry.zone, celsius: $0) }
      }
    }
  }

  private let zones: [(name: String, reading: PatientReading<Double>)]
  private let throttle: (name: String, reading: PatientReading<ThrottleStatus>)?
  private let clock: any MonotonicClock
  private let logger: Logger
  private var unreadable: Set<String> = []
  private var throttlePause: MonotonicInstant?
  private var lastFlags: ThrottleFlags = []

  init(
    sensors: [any TemperatureSensor], throttle: (any ThrottleSensor)?, clock: any MonotonicClock,
    logger: Logger
  ) {
    zones = sensors.map { sensor in
      let reading = PatientReading(of: sensor.name, clock: clock) { () throws(DeviceError) in
        try await sensor.temperature()
      }
      return (sensor.name, reading)
    }
    self.throttle = throttle.map { sensor in
      let reading = PatientReading(of: sensor.name, clock: clock) { () throws(DeviceError) in
        try await sensor.status()
      }
      return (sensor.name, reading)
    }
    self.clock = clock
    self.logger = logger
  }

  /// Reads all zones and flags once.
  mutating func read() async -> Round {
    async let flags = readThrottle()
    let temperatures = await readZones()
    var round = Round()
    for (zone, result) in zip(zones, temperatures) {
      let celsius = note(result, of: zone.name, "a temperature cannot be read, going on without it")
      round.temperatures.append((zone.name, celsius))
    }
    guard let throttle, let result = await flags else { return round }
    if case .failure(let error) = result, error.code == .absent {
      throttlePause = clock.now.advanced(by: Self.absentPause)
      lastFlags = []
    } else {
      round.throttle = note(
        result, of: throttle.name, "the throttle flags cannot be read, going on with the last ones")
      if round.throttle?.hasFlags == false, unreadable.insert(throttle.name).inserted {
        logger.warning(
          "the firmware's throttle flags are nowhere; only undervoltage is seen",
          metadata: ["sensor": "\(throttle.name)"])
      }
      lastFlags = round.throttle?.now ?? lastFlags
      round.flags = lastFlags
    }
    return round
  }

  private func readZones() async -> [Result<Double, DeviceError>] {
    await withTaskGroup(of: (Int, Result<Double, DeviceError>).self) { group in
      for (index, zone) in zones.enumerated() {
        group.addTask { (index, await zone.reading.result()) }
      }
      var results: [Int: Result<Double, DeviceError>] = [:]
      for await (index, result) in group { results[index] = result }
      return zones.indices.compactMap { results[$0] }
    }
  }

  private func readThrottle() async -> Result<ThrottleStatus, DeviceError>? {
    if let throttlePause, clock.now < throttlePause { return nil }
    return await throttle?.reading.result()
  }

  /// Returns the value of a reading; logs a fault when it begins.
  private mutating func note<Value>(
    _ result: Result<Value, DeviceError>, of name: String, _ message: Logger.Message
  ) -> Value? {
    let fault = "\(name): \(message)"
    switch result {
    case .success(let value):
      unreadable.remove(fault)
      return value
    case .failure(let error):
      if unreadable.insert(fault).inserted {
        logger.warning(message, metadata: ["error": "\(error)"])
      }
      return nil
    }
  }
}
