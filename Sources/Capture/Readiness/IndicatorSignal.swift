package import Devices

/// The pattern of a light and its refresh interval.
package struct IndicatorSignal: Sendable, Hashable {
  /// The pattern to show.
  package let pattern: IndicatorPattern
  /// The refresh interval, and the lifetime without a refresh; `nil` for a pattern that stays.
  package let heartbeat: (every: Duration, lifetime: Duration)?

  /// Makes a signal that stays until another one comes.
  package init(_ pattern: IndicatorPattern) {
    self.pattern = pattern
    heartbeat = nil
  }

  /// Makes a signal that ends by itself when the service does not refresh it.
  ///
  /// The refresh interval is one second, rounded up to a whole number of the pattern's periods. The
  /// signal lives for two intervals and a second more: three seconds for a steady light.
  package init(vouching pattern: IndicatorPattern) {
    self.pattern = pattern
    let period = pattern.period
    let second = Duration.seconds(1)
    let every =
      period == .zero ? second : period * max(1, Int((second / period).rounded(.up)))
    heartbeat = (every, every * 2 + second)
  }

  /// Returns whether two signals have the same pattern and lifetime.
  package static func == (first: IndicatorSignal, second: IndicatorSignal) -> Bool {
    first.pattern == second.pattern && first.heartbeat?.every == second.heartbeat?.every
  }

  /// Hashes the values that equality compares.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(pattern)
    hasher.combine(heartbeat?.every)
  }
}
