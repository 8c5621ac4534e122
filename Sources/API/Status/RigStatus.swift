package import Devices

/// The whole state of a rig at one moment: the answer to `GET /v1/status`.
package struct RigStatus: Sendable, Hashable, Codable {
  /// The rig's name from its configuration.
  package let rig: String
  /// The service's version.
  package let version: String
  /// The board's kind from the configuration, for example `simulated` or `linux`.
  package let board: String
  /// The readiness for a press.
  package let readiness: ReadinessReport
  /// The camera and its stream.
  package let session: SessionReport
  /// The position of the rig.
  package let rotation: RotationReport
  /// The thermal state of the rig.
  package let thermal: ThermalReport
  /// The pictures on the disk.
  package let spool: SpoolReport
  /// The targets of uploads, in the order of the configuration; empty for none.
  package let targets: [TargetReport]
  /// The counts of presses since the service started.
  package let presses: PressSummary
  /// The pattern of each light, in the order of their roles.
  package let lights: [LightReport]
  /// The buttons, in the order of the configuration.
  package let buttons: [ButtonReport]
  /// The recording; `nil` for a rig without recordings.
  package let movie: MovieReport?
  /// The time that the service has run, in seconds.
  package let uptimeSeconds: Double

  package init(
    rig: String, version: String, board: String, readiness: ReadinessReport,
    session: SessionReport, rotation: RotationReport, thermal: ThermalReport, spool: SpoolReport,
    targets: [TargetReport], presses: PressSummary, lights: [LightReport] = [],
    buttons: [ButtonReport] = [], movie: MovieReport? = nil, uptimeSeconds: Double
  ) {
    self.rig = rig
    self.version = version
    self.board = board
    self.readiness = readiness
    self.session = session
    self.rotation = rotation
    self.thermal = thermal
    self.spool = spool
    self.targets = targets
    self.presses = presses
    self.lights = lights
    self.buttons = buttons
    self.movie = movie
    self.uptimeSeconds = finite(uptimeSeconds) ?? 0
  }
}

/// The readiness for a press.
package struct ReadinessReport: Sendable, Hashable, Codable {
  /// The state of the readiness.
  package let state: Word<CaptureReadiness>
  /// The reason codes, the most important first, for example `thermalPressure`; empty for none.
  package let reasons: [Word<InterruptionReason>]
  /// The reason codes of problems that refuse no press, for example `undervoltage`; `nil` for none.
  package let warnings: [Word<InterruptionReason>]?

  /// Makes a report from a state and its reason codes.
  package init(
    state: Word<CaptureReadiness>, reasons: [Word<InterruptionReason>] = [],
    warnings: [Word<InterruptionReason>]? = nil
  ) {
    self.state = state
    self.reasons = reasons
    self.warnings = warnings
  }

  /// The reasons with the state, and the warnings, in one line.
  package var summary: String {
    let words = reasons.map(\.rawValue).joined(separator: ", ")
    let readiness = reasons.isEmpty ? state.rawValue : "\(words) (\(state))"
    return ([readiness] + (warnings ?? []).map { "warning \($0)" }).joined(separator: ", ")
  }
}

/// The counts of presses since the service started.
package struct PressSummary: Sendable, Hashable, Codable {
  /// The number of the last press; `nil` when there was none.
  package let last: Int64?
  /// The number of stored presses.
  package let stored: Int
  /// The number of refused presses.
  package let refused: Int
  /// The number of presses without an outcome.
  package let inFlight: Int
  /// The warnings about the last picture; `nil` for none, and while the next press is under way.
  package let warnings: [PageReport.Warning]?
  /// The number of pictures with each warning, by its code; `nil` for none.
  package let warned: [Word<PageWarning>: Int]?

  package init(
    last: Int64?, stored: Int, refused: Int, inFlight: Int, warnings: [PageWarning] = [],
    warned: [PageWarning: Int] = [:]
  ) {
    self.warnings = warnings.isEmpty ? nil : warnings.map { PageReport.Warning($0) }
    self.warned =
      warned.isEmpty
      ? nil : Dictionary(uniqueKeysWithValues: warned.map { (Word($0.key), $0.value) })
    self.last = last
    self.stored = stored
    self.refused = refused
    self.inFlight = inFlight
  }
}
