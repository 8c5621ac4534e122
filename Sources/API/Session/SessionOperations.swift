extension Operations {
  /// The time that a change of the session may take at most: two minutes at 0.01 frames a second.
  private static let changeTimeout = Duration.seconds(600)
  private static let changeFailures: [APIError.Code] = [
    .configurationRefused, .configurationRolledBack, .configurationInterrupted,
  ]
  /// The failures of a camera that has to do something.
  private static let cameraFailures: [APIError.Code] = [
    .unsupported, .conflict, .timedOut, .unavailable,
  ]

  /// The session with its settings and cameras.
  package static let session = Endpoint<NoInput, SessionOverview>(
    "session", .get, "/v1/session", .read,
    "Returns the session, its settings and their results, and the cameras.")

  /// The abilities of the camera in use.
  package static let sessionCapabilities = Endpoint<NoInput, CapabilitiesReport>(
    "sessionCapabilities", .get, "/v1/session/capabilities", .read,
    "Returns what the camera in use can do, such as brackets.")

  /// A change of the session's settings.
  package static let configureSession = Endpoint<SessionChange, SessionOverview>(
    "configureSession", .patch, "/v1/session", .act,
    "Changes the session's settings, either all or none.", failures: changeFailures,
    stallTimeout: changeTimeout)

  /// The interruptions.
  package static let interruptions = Endpoint<NoInput, InterruptionList>(
    "interruptions", .get, "/v1/session/interruptions", .read,
    "Lists the current interruptions and the newest ended ones.")

  /// The release of the camera for another program.
  package static let stopSession = Endpoint<NoInput, SessionOverview>(
    "stopSession", .post, "/v1/session/stop", .act, "Releases the camera for another program.")

  /// The return of the camera.
  package static let resumeSession = Endpoint<NoInput, SessionOverview>(
    "resumeSession", .post, "/v1/session/resume", .act, "Takes the camera again.")

  /// A switch to the next camera.
  package static let switchCamera = Endpoint<NoInput, SessionOverview>(
    "switchCamera", .post, "/v1/session/switch-camera", .act,
    "Switches to the next camera, in the order of the roles' names.",
    failures: changeFailures,
    stallTimeout: changeTimeout)

  /// A focusing of the camera.
  package static let focusCamera = Endpoint<FocusRequest, SessionOverview>(
    "focusCamera", .post, "/v1/session/focus", .act,
    "Focuses once, on a place if one is given, and locks the lens position.",
    failures: cameraFailures)

  /// A calibration of the camera.
  package static let calibrateCamera = Endpoint<NoInput, CalibrationReport>(
    "calibrateCamera", .post, "/v1/session/calibrate", .act,
    "Lets the camera determine exposure, white balance and focus, and keeps the results for the "
      + "camera; takes up to 10 s or 60 frames.",
    failures: cameraFailures, stallTimeout: .seconds(3600))

  /// A measurement of the resolution.
  package static let measureScale = Endpoint<ScaleRequest, ScaleReport>(
    "measureScale", .post, "/v1/session/scale", .act,
    "Measures the resolution on a sheet of known size in view, and keeps it for the camera.",
    failures: cameraFailures + [.internalError])

  /// The deletion of the camera's calibration and scales.
  package static let forgetCalibration = Endpoint<NoInput, SessionOverview>(
    "forgetCalibration", .delete, "/v1/session/calibration", .act,
    "Deletes the calibration and the scales of the camera in use.",
    failures: cameraFailures)
}

extension SessionChange: JSONInput {}

extension ScaleRequest: JSONInput {}

extension FocusRequest: JSONInput {
  package static var mayBeAbsent: Bool { true }
}
