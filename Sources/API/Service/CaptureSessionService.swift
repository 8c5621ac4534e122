/// What the API needs of a rig's capture session.
///
/// What a camera cannot do is ``APIError/Code/unsupported``, what it did not do in time
/// ``APIError/Code/timedOut``, and what needs a camera while none streams
/// ``APIError/Code/conflict``.
public protocol CaptureSessionService: Sendable {
  /// The session, what it is set to, and its cameras.
  func session() async -> SessionOverview

  /// Changes what the session is set to, all at once or not at all.
  ///
  /// - Returns: what it resolved to.
  /// - Throws: ``APIError``, code ``APIError/Code/configurationRefused``,
  ///   ``APIError/Code/configurationRolledBack`` or ``APIError/Code/configurationInterrupted``.
  func configureSession(_ change: SessionChange) async throws(APIError) -> SessionOverview

  /// Gives the camera back so that another program can have it; presses are refused until
  /// ``resumeSession()``.
  func stopSession() async -> SessionOverview

  /// Takes the camera again after ``stopSession()``.
  func resumeSession() async -> SessionOverview

  /// Goes on with the next camera of the rig, in the order of the roles' names.
  ///
  /// - Throws: ``APIError`` as ``configureSession(_:)`` does, also when there is only one camera.
  func switchCamera() async throws(APIError) -> SessionOverview

  /// Focuses once and keeps the lens where it is then.
  ///
  /// - Throws: ``APIError``.
  func focusCamera() async throws(APIError) -> SessionOverview

  /// Lets the camera find exposure, white balance and focus, fixes what it has found, and keeps that
  /// for the camera, also over restarts; takes up to 10 s or 60 frames.
  ///
  /// - Throws: ``APIError``; everything is as it was then.
  func calibrateCamera() async throws(APIError) -> CalibrationReport

  /// Measures the resolution on a sheet of known size in view, and keeps it for the camera, the size of the
  /// frame, the part of the sensor that it shows, and the lens position, also over restarts.
  ///
  /// - Throws: ``APIError``: ``APIError/Code/conflict`` while no camera gives frames and when no such sheet
  ///   is found, with what to do; ``APIError/Code/unavailable`` while all frames are needed for pictures,
  ///   and when it cannot be stored. What was kept holds then.
  func measureScale(_ request: ScaleRequest) async throws(APIError) -> ScaleReport

  /// Forgets the calibration and the scales of the camera in use; does nothing when there are none.
  ///
  /// - Throws: ``APIError``; all of them hold then.
  func forgetCalibration() async throws(APIError) -> SessionOverview

  /// The interruptions that last, and the newest of those that have ended.
  func interruptions() async -> InterruptionList
}
