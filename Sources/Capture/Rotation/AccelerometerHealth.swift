public import Devices

/// Whether an accelerometer's readings can be believed.
public struct AccelerometerHealth: Sendable {
  /// What is thought of the sensor.
  public enum State: String, Sendable, Hashable, Codable {
    /// There is no accelerometer in the configuration.
    case none
    /// Readings come and can be gravity.
    case ok
    /// The sensor cannot be read.
    case absent
    /// Readings have been the same to the last bit for too long, or have stopped coming.
    case frozen
    /// Readings are no numbers, or far from gravity for too long.
    case implausible
  }

  /// How long readings may be identical, or missing; `nil` switches the first of the two off.
  public let frozenAfter: Duration?
  /// How long no reading may come before the sensor counts as frozen.
  public let silentAfter: Duration
  /// How many implausible readings in a row are believed.
  public static let implausibleCount = 5

  /// What is thought of the sensor now.
  public private(set) var state: State
  private var lastChange: AccelerometerSample?
  private var lastTime: MonotonicInstant?
  private var implausibleReadings = 0

  /// Makes the health of a sensor that has said nothing yet.
  ///
  /// - Parameters:
  ///   - isConfigured: whether there is a sensor at all.
  ///   - frozenAfter: how long readings may be bit-identical; `nil` for ever.
  ///   - silentAfter: how long no reading may come.
  public init(isConfigured: Bool, frozenAfter: Duration?, silentAfter: Duration = .seconds(3)) {
    state = isConfigured ? .absent : .none
    self.frozenAfter = frozenAfter
    self.silentAfter = silentAfter
  }

  /// Takes an event of the sensor.
  ///
  /// - Returns: the sample, if it may be used.
  public mutating func event(_ event: AccelerometerEvent) -> AccelerometerSample? {
    switch event {
    case .failed(let error):
      // What answers nonsense is there, and what falls silent was: a technician looks elsewhere.
      state =
        switch error.code {
        case .implausible: .implausible
        case .timedOut: .frozen
        default: .absent
        }
      lastChange = nil
      return nil
    case .sample(let sample):
      lastTime = sample.time
      guard isPlausible(sample.acceleration) else {
        implausibleReadings += 1
        if implausibleReadings >= AccelerometerHealth.implausibleCount { state = .implausible }
        return nil
      }
      implausibleReadings = 0
      if lastChange?.acceleration != sample.acceleration { lastChange = sample }
      if let frozenAfter, let lastChange,
        lastChange.time.duration(to: sample.time) >= frozenAfter
      {
        state = .frozen
        return nil
      }
      state = .ok
      return sample
    }
  }

  /// Looks at the clock: a sensor that has fallen silent is frozen.
  public mutating func tick(now: MonotonicInstant) {
    guard state == .ok, let lastTime else { return }
    if lastTime.duration(to: now) >= silentAfter { state = .frozen }
  }

  private func isPlausible(_ acceleration: Acceleration) -> Bool {
    let gravities = acceleration.magnitude / Acceleration.standardGravity
    // A sensor of ±2 g that reads the end of its range on all axes says 3.5.
    return gravities.isFinite && gravities > 0.2 && gravities < 3
  }
}
