import Capture
import Devices
import Logging

/// Reads a board's temperatures and its firmware's flags side by side.
///
/// A sensor that does not answer counts as one that cannot be read, and keeps nobody waiting for
/// longer than ``PatientReading/limit``. What cannot be read is logged once. Flags that cannot be
/// read demand what they did when they could be read last; where there are none nothing is demanded.
struct HeatReader {
  /// How long a board that has no throttle flags is left alone before they are looked for again.
  static let absentPause = Duration.seconds(60)

  /// What one round of reading gave.
  struct Round {
    /// The zones in their order; `nil` for a temperature that cannot be read.
    var temperatures: [(zone: String, celsius: Double?)] = []
    /// `nil` when there are no flags, which is normal, or they cannot be read.
    var throttle: ThrottleStatus?
    /// What the firmware says now, or said when its flags could be read last; empty without flags.
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

  /// Makes a reader of a board's sensors.
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

  /// Reads everything once.
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

  /// The value of a reading; a fault is logged when it begins.
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
