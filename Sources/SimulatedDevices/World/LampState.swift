public import Devices

/// Whether the simulated lamp is lit, and since when.
public struct LampState: Sendable, Hashable {
  /// Whether it is lit.
  public var isOn: Bool
  /// When it was switched.
  public var since: MonotonicInstant

  /// Makes a state.
  public init(isOn: Bool, since: MonotonicInstant) {
    self.isOn = isOn
    self.since = since
  }
}
