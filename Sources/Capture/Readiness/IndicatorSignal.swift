public import Devices

/// What a light is to be told, and how often.
public struct IndicatorSignal: Sendable, Hashable {
  /// What to show.
  public let pattern: IndicatorPattern
  /// How often it has to be shown anew, and how long it lasts without that; `nil` for a pattern
  /// that stays.
  public let heartbeat: (every: Duration, lifetime: Duration)?

  /// A signal that stays until another one comes.
  public init(_ pattern: IndicatorPattern) {
    self.pattern = pattern
    heartbeat = nil
  }

  /// A signal that vouches for the service: it ends by itself when the service does not refresh it.
  ///
  /// It is refreshed once a second, or at the end of a longer pattern, and lives for two of these
  /// and a second more: three seconds for a steady light.
  public init(vouching pattern: IndicatorPattern) {
    self.pattern = pattern
    let period = pattern.period
    let second = Duration.seconds(1)
    let every =
      period == .zero ? second : period * max(1, Int((second / period).rounded(.up)))
    heartbeat = (every, every * 2 + second)
  }

  /// Whether two signals look the same and live equally long.
  public static func == (first: IndicatorSignal, second: IndicatorSignal) -> Bool {
    first.pattern == second.pattern && first.heartbeat?.every == second.heartbeat?.every
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(pattern)
    hasher.combine(heartbeat?.every)
  }
}
