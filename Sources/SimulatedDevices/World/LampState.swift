package import Devices

/// The light of the simulated lamps, and its start.
package struct LampState: Sendable, Hashable {
  /// The names of the lamps that are lit.
  package var lit: Set<String>
  /// The time at which the lamp was switched.
  package var since: MonotonicInstant

  /// Whether any lamp is lit.
  package var isOn: Bool { !lit.isEmpty }
}
