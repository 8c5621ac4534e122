package import Devices

/// The heat of the last day: the answer to `GET /v1/history`.
package struct HistoryReport: Sendable, Hashable, Codable {
  /// The length of a sample in seconds.
  package let periodSeconds: Int
  /// The samples, the oldest first; a time without a reading has none.
  package let samples: [HistorySample]

  package init(periodSeconds: Int, samples: [HistorySample]) {
    self.periodSeconds = periodSeconds
    self.samples = samples
  }
}

/// The worst heat within the time of a sample.
package struct HistorySample: Sendable, Hashable, Codable {
  /// The beginning on `CLOCK_MONOTONIC`, in nanoseconds; negative before the boot.
  package let timeNanoseconds: Int64
  /// The highest temperature of each zone that was read, in degrees Celsius.
  package let celsius: [String: Double]
  /// The hottest state.
  package let state: Word<ThermalState>
  /// The flags of the board's firmware that were set, by name as in ThrottleReport.
  package let firmware: [Word<ThrottleFlag>]

  package init(
    timeNanoseconds: Int64, celsius: [String: Double], state: Word<ThermalState>,
    firmware: [Word<ThrottleFlag>]
  ) {
    self.timeNanoseconds = timeNanoseconds
    self.celsius = celsius.compactMapValues { finite($0) }
    self.state = state
    self.firmware = firmware
  }
}
