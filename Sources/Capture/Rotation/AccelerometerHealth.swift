package import Devices

/// The check whether an accelerometer's readings are plausible.
package struct AccelerometerHealth: Sendable {
  /// The time after which bit-identical readings count as frozen; `nil` for never.
  package let frozenAfter: Duration?
  /// The time without a reading after which the sensor counts as frozen.
  package let silentAfter: Duration
  /// The number of implausible readings in a row that change the state.
  package static let implausibleCount = 5

  /// The sensor's current state.
  package private(set) var state: AccelerometerState
  private var lastChange: AccelerometerSample?
  private var lastTime: MonotonicInstant?
  private var implausibleReadings = 0

  /// Makes the health of a sensor that has given no reading yet.
  ///
  /// - Parameters:
  ///   - isConfigured: whether there is a sensor at all.
  ///   - frozenAfter: the time after which bit-identical readings count as frozen; `nil` for never.
  ///   - silentAfter: the time without a reading after which the sensor counts as frozen.
  package init(isConfigured: Bool, frozenAfter: Duration?, silentAfter: Duration = .seconds(3)) {
    state = isConfigured ? .absent : .none
    self.frozenAfter = frozenAfter
    self.silentAfter = silentAfter
  }

  /// Takes an event of the sensor.
  ///
  /// - Returns: the sample, if it may be used.
  package mutating func event(_ event: AccelerometerEvent) -> AccelerometerSample? {
    switch event {
    case .failed(let error):
      // A sensor with nonsense readings is present, and a silent one was; only others are absent.
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

  /// Takes the time; a sensor that has fallen silent is frozen.
  package mutating func tick(now: MonotonicInstant) {
    guard state == .ok, let lastTime else { return }
    if lastTime.duration(to: now) >= silentAfter { state = .frozen }
  }

  private func isPlausible(_ acceleration: Acceleration) -> Bool {
    let gravities = acceleration.magnitude / Acceleration.standardGravity
    // A sensor of ±2 g whose axes all read the end of its range gives 3.5.
    return gravities.isFinite && gravities > 0.2 && gravities < 3
  }
}
