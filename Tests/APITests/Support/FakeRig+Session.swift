import API
import Devices

/// The session of the fake rig, and what it was told.
struct FakeSession {
  var overview = SessionSamples.overview
  /// The calls in order; changes as `configure`.
  var calls: [String] = []
  var changes: [SessionChange] = []
  var sheets: [ScaleRequest] = []
  /// The error of the next call that can fail.
  var failure: APIError?
}

extension FakeRig {
  func session() async -> SessionOverview { capture.overview }

  func configureSession(_ change: SessionChange) async throws(APIError) -> SessionOverview {
    editCapture { $0.changes.append(change) }
    return try call("configure")
  }

  func stopSession() async -> SessionOverview {
    editCapture { $0.calls.append("stop") }
    return capture.overview
  }

  func resumeSession() async -> SessionOverview {
    editCapture { $0.calls.append("resume") }
    return capture.overview
  }

  func switchCamera() async throws(APIError) -> SessionOverview { try call("switch") }

  func focusCamera(_ request: FocusRequest) async throws(APIError) -> SessionOverview {
    try call(request.focusPoint.map { "focus at \($0.x), \($0.y)" } ?? "focus")
  }

  func calibrateCamera() async throws(APIError) -> CalibrationReport {
    _ = try call("calibrate")
    return SessionSamples.calibration
  }

  func measureScale(_ request: ScaleRequest) async throws(APIError) -> ScaleReport {
    editCapture { $0.sheets.append(request) }
    _ = try call("scale")
    return SessionSamples.scale
  }

  func forgetCalibration() async throws(APIError) -> SessionOverview { try call("forget") }

  func interruptions() async -> InterruptionList { SessionSamples.interruptions }

  private func call(_ name: String) throws(APIError) -> SessionOverview {
    editCapture { $0.calls.append(name) }
    if let failure = capture.failure { throw failure }
    return capture.overview
  }
}

/// The session as a rig would report it.
enum SessionSamples {
  static let settings = SessionSettingsReport(
    camera: "main", preset: "document", frameRate: .fixed(15), controls: controls(at: 2.5),
    prioritization: "quality", fastCapture: false)

  /// The controls with the lens at a position in diopters.
  private static func controls(at lensPosition: Double) -> CameraControls {
    CameraControls(
      exposureMode: .custom(duration: .milliseconds(8), gain: 2), whiteBalanceMode: .locked,
      focusMode: .locked(lensPosition: lensPosition), videoZoomFactor: 1.5,
      flickerAvoidance: .hertz50)
  }

  private static var controlsInForce: CameraControls {
    var controls = Self.controls(at: 2.25)
    controls.noiseReduction = .highQuality
    controls.image = [.sharpness: 1.5]
    return controls
  }

  static let calibration = CalibrationReport(
    exposureMicroseconds: 9500, gain: 1.25, redGain: 1.75, blueGain: 1.5, diopters: 2.25)

  static let capabilities = CapabilitiesReport(
    camera: "camera-1", brackets: ["ev", "ms"], bracketFrames: 4)

  static let scale = ScaleReport(
    pixelsPerInch: 152.3, horizontal: 152, vertical: 152.6, angleDegrees: -1.3, keystone: 0.004,
    frameSize: SizeReport(width: 2028, height: 1520), diopters: 2.25, configuredPixelsPerInch: 300)

  static let overview = SessionOverview(
    session: Samples.session, settings: settings,
    controls: ControlsReport(
      controls: controlsInForce, isCalibrated: true,
      notes: ["focus fixed by the camera's calibration"]),
    calibration: calibration, cameras: ["main", "overhead"],
    readiness: ReadinessReport(state: "ready", reasons: []))

  static let interruptions = InterruptionList(
    lasting: [
      InterruptionReport(
        reason: "thermalPressure", cause: nil, beganNanoseconds: 90_000_000_000,
        endedNanoseconds: nil)
    ],
    ended: [
      InterruptionReport(
        reason: "cameraUnplugged", cause: "\"imx708\" was unplugged",
        beganNanoseconds: 12_500_000_000, endedNanoseconds: 15_000_000_000)
    ])
}
