/// Everything that a rig says of itself at one moment: the answer to `GET /v1/status`.
public struct RigStatus: Sendable, Hashable, Codable {
  /// The rig's name from its configuration.
  public let rig: String
  /// The service's version.
  public let version: String
  /// The board's kind from the configuration, for example `simulated` or `linux`.
  public let board: String
  /// Whether a press would be taken.
  public let readiness: ReadinessReport
  /// The camera and its stream.
  public let session: SessionReport
  /// Which way up the rig is.
  public let rotation: RotationReport
  /// How hot the rig is.
  public let thermal: ThermalReport
  /// What lies on the disk.
  public let spool: SpoolReport
  /// Where pictures go, in the order of the configuration; empty for nowhere.
  public let targets: [TargetReport]
  /// How many presses there were since the service started.
  public let presses: PressSummary
  /// What each light was told to show, in the order of their roles.
  public let lights: [LightReport]
  /// The buttons, in the order of the configuration.
  public let buttons: [ButtonReport]
  /// How long the service has run, in seconds.
  public let uptimeSeconds: Double

  /// Makes a status.
  public init(
    rig: String, version: String, board: String, readiness: ReadinessReport,
    session: SessionReport, rotation: RotationReport, thermal: ThermalReport, spool: SpoolReport,
    targets: [TargetReport], presses: PressSummary, lights: [LightReport] = [],
    buttons: [ButtonReport] = [], uptimeSeconds: Double
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
    self.uptimeSeconds = finite(uptimeSeconds) ?? 0
  }
}

/// Whether a press would be taken now.
public struct ReadinessReport: Sendable, Hashable, Codable {
  /// The state: `ready`, `notReadyMomentarily`, `notReadyWaitingForCapture`,
  /// `notReadyWaitingForProcessing` or `sessionNotRunning`.
  public let state: String
  /// Reason codes, the most important first, for example `thermalPressure`; empty when none.
  public let reasons: [String]
  /// Reason codes of what is wrong and refuses no press, for example `undervoltage`; `nil` when none.
  public let warnings: [String]?

  /// Makes a report from a state and its reason codes.
  public init(state: String, reasons: [String] = [], warnings: [String]? = nil) {
    self.state = state
    self.reasons = reasons
    self.warnings = warnings
  }
}

/// How many presses there were since the service started.
public struct PressSummary: Sendable, Hashable, Codable {
  /// The number of the last press; `nil` when there was none.
  public let last: Int64?
  /// How many were stored.
  public let stored: Int
  /// How many were refused.
  public let refused: Int
  /// How many have no outcome yet.
  public let inFlight: Int

  /// Makes a summary.
  public init(last: Int64?, stored: Int, refused: Int, inFlight: Int) {
    self.last = last
    self.stored = stored
    self.refused = refused
    self.inFlight = inFlight
  }
}
