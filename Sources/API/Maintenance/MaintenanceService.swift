/// What the API needs to end a rig's service, or the whole machine.
public protocol MaintenanceService: Sendable {
  /// Ends the service in order, and what belongs to it.
  ///
  /// Returns when that has begun: from then on presses are refused, those in flight get their
  /// outcome, the spool is settled, and only then the machine ends. What systemd would refuse is
  /// refused here, while the service still runs.
  ///
  /// - Throws: ``APIError``: ``APIError/Code/unsupported`` where nobody would start the service again
  ///   or nobody switches the machine off, ``APIError/Code/conflict`` when something else ends it
  ///   already or systemd does not allow it, ``APIError/Code/timedOut`` or
  ///   ``APIError/Code/unavailable`` when systemd does not answer.
  func end(_ ending: EndingReport.Ending) async throws(APIError) -> EndingReport
}

/// What ends, and what is still to be done: the answer to `POST /v1/service/restart`,
/// `POST /v1/machine/restart` and `POST /v1/machine/power-off`.
public struct EndingReport: Sendable, Hashable, Codable {
  /// What ends.
  public enum Ending: String, Sendable, Hashable, Codable, CaseIterable {
    /// The service ends and is started anew by systemd.
    case serviceRestart
    /// The service ends, then the machine starts anew.
    case machineRestart
    /// The service ends, then the machine is switched off.
    case powerOff
  }

  /// What ends.
  public let ending: Ending
  /// How many presses have no outcome yet; each gets one before the end.
  public let pressesInFlight: Int

  /// Makes a report.
  public init(ending: Ending, pressesInFlight: Int) {
    self.ending = ending
    self.pressesInFlight = pressesInFlight
  }
}
