public import API
import Transfer

extension RigClient {
  /// How long a change of the session may take.
  private static let changePatience = Duration.seconds(600)

  /// The session, what it is set to, and its cameras.
  ///
  /// - Throws: ``RigClientError``.
  public func session() async throws(RigClientError) -> SessionOverview {
    try await get("/v1/session")
  }

  /// Changes what the session is set to, all at once or not at all.
  ///
  /// The service answers when a frame has come of it, which takes two minutes at 0.01 frames a second.
  ///
  /// - Returns: what it resolved to.
  /// - Throws: ``RigClientError``, `refused` with code `configurationRefused`,
  ///   `configurationRolledBack` or `configurationInterrupted`.
  public func configureSession(
    _ change: SessionChange
  ) async throws(RigClientError) -> SessionOverview {
    var request = request("PATCH", "/v1/session")
    request.stallTimeout = Self.changePatience
    try encode(change, into: &request)
    return try await answer(to: request, accepting: [200])
  }

  /// Gives the camera back so that another program can have it.
  ///
  /// - Throws: ``RigClientError``.
  public func stopSession() async throws(RigClientError) -> SessionOverview {
    try await post("/v1/session/stop")
  }

  /// Takes the camera again after ``stopSession()``.
  ///
  /// - Throws: ``RigClientError``.
  public func resumeSession() async throws(RigClientError) -> SessionOverview {
    try await post("/v1/session/resume")
  }

  /// Goes on with the next camera of the rig.
  ///
  /// - Throws: ``RigClientError``, as ``configureSession(_:)``.
  public func switchCamera() async throws(RigClientError) -> SessionOverview {
    try await post("/v1/session/switch-camera", stallTimeout: Self.changePatience)
  }

  /// Focuses once and keeps the lens where it is then.
  ///
  /// - Throws: ``RigClientError``, `refused` with code `unsupported`, `timedOut` or `unavailable`.
  public func focusCamera() async throws(RigClientError) -> SessionOverview {
    try await post("/v1/session/focus")
  }

  /// Lets the camera find exposure, white balance and focus, and keeps what it has found.
  ///
  /// - Throws: ``RigClientError``, `refused` with code `unsupported`, `timedOut` or `unavailable`.
  public func calibrateCamera() async throws(RigClientError) -> CalibrationReport {
    try await post("/v1/session/calibrate", stallTimeout: .seconds(3600))
  }

  /// Measures the resolution on a sheet of known size in view, and keeps it for the camera.
  ///
  /// - Throws: ``RigClientError``, `refused` with code `conflict` or `unavailable`.
  public func measureScale(
    _ sheet: ScaleRequest
  ) async throws(RigClientError) -> ScaleReport {
    var request = request("POST", "/v1/session/scale")
    try encode(sheet, into: &request)
    return try await answer(to: request, accepting: [200])
  }

  /// Forgets the calibration and the scales of the camera in use.
  ///
  /// - Throws: ``RigClientError``.
  public func forgetCalibration() async throws(RigClientError) -> SessionOverview {
    try await answer(to: request("DELETE", "/v1/session/calibration"), accepting: [200])
  }

  /// The interruptions that last, and the newest of those that have ended.
  ///
  /// - Throws: ``RigClientError``.
  public func interruptions() async throws(RigClientError) -> InterruptionList {
    try await get("/v1/session/interruptions")
  }
}
