package import Devices

/// The state of the simulated lamp, and its start.
package struct LampState: Sendable, Hashable {
  /// Whether the lamp is lit.
  package var isOn: Bool
  /// The time at which the lamp was switched.
  package var since: MonotonicInstant
}
