/// The kind of end that has begun, and the work left before it.
///
/// The report answers `POST /v1/service/restart`, `POST /v1/machine/restart` and
/// `POST /v1/machine/power-off`.
package struct EndingReport: Sendable, Hashable, Codable {
  /// The kind of end.
  package enum Ending: String, Sendable, Hashable, Codable, CaseIterable {
    /// The service ends, and systemd starts it again.
    case serviceRestart
    /// The service ends, then the machine reboots.
    case machineRestart
    /// The service ends, then the machine powers off.
    case powerOff
  }

  /// The kind of end.
  package let ending: Ending
  /// The number of presses without an outcome; each gets one before the end.
  package let pressesInFlight: Int

  package init(ending: Ending, pressesInFlight: Int) {
    self.ending = ending
    self.pressesInFlight = pressesInFlight
  }
}
