/// The session, its settings, and its cameras.
///
/// The report answers `/v1/session` and all requests that change the session.
package struct SessionOverview: Sendable, Hashable, Codable {
  /// The state of the session and its camera.
  ///
  /// `size` and `adjustments` show the camera's response to ``settings``, and `frameRate` is the
  /// actual rate of frames.
  package let session: SessionReport
  /// The wanted settings, which are in force.
  package let settings: SessionSettingsReport
  /// The controls that are set at the camera; `nil` while there is no stream.
  package let controls: ControlsReport?
  /// The calibration of the camera in use; `nil` when it has none.
  package let calibration: CalibrationReport?
  /// The range of lens positions of the camera in use.
  ///
  /// `nil` when the lens cannot be placed, and while there is no stream.
  package let lens: LensReport?
  /// The roles of all cameras of the rig, in their order.
  package let cameras: [String]
  /// The readiness for a press.
  package let readiness: ReadinessReport

  package init(
    session: SessionReport, settings: SessionSettingsReport, controls: ControlsReport? = nil,
    calibration: CalibrationReport? = nil, lens: LensReport? = nil, cameras: [String],
    readiness: ReadinessReport
  ) {
    self.session = session
    self.settings = settings
    self.controls = controls
    self.calibration = calibration
    self.lens = lens
    self.cameras = cameras
    self.readiness = readiness
  }
}

/// The interruptions and warnings of this run: the answer to `GET /v1/session/interruptions`.
package struct InterruptionList: Sendable, Hashable, Codable {
  /// The lasting interruptions, the oldest first.
  package let lasting: [InterruptionReport]
  /// The ended interruptions, the newest first; the last 100 are kept.
  package let ended: [InterruptionReport]

  package init(lasting: [InterruptionReport], ended: [InterruptionReport]) {
    self.lasting = lasting
    self.ended = ended
  }
}
