package import API
import Devices

/// The capture session as lines for a terminal.
package struct SessionView {
  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns.
  package init(width: Int = 80) {
    self.width = width
  }

  /// Returns the requested and the resolved settings, the calibration and the readiness.
  package func lines(_ overview: SessionOverview) -> [String] {
    let (session, settings) = (overview.session, overview.settings)
    var rows = [
      ("readiness", overview.readiness.summary),
      ("state", session.state),
      ("camera", session.camera.map { "\($0.model), \($0.id)" } ?? "none"),
      (
        "role",
        settings.camera + (session.isStandbyInUse == true ? ", its standby is in use" : "")
          + (overview.cameras.count > 1 ? ", of \(overview.cameras.joined(separator: ", "))" : "")
      ),
      ("wanted", Self.text(settings)),
    ]
    var stream: [String] = []
    if let size = session.size { stream.append("\(size.width)x\(size.height)") }
    if let pixelFormat = session.pixelFormat { stream.append(pixelFormat) }
    if session.frameRate != nil {
      stream.append("\(Figures.decimal(session.frameRate, 1)) frames/s")
    }
    rows.append(("resolved", stream.isEmpty ? "when there is a camera" : Self.list(stream)))
    for adjustment in session.adjustments { rows.append(("", adjustment)) }
    if let controls = overview.controls {
      let reduction = controls.controls.noiseReduction.map { ["noise reduction \($0.rawValue)"] }
      let words = Self.words(controls.controls) + (reduction ?? [])
      rows.append(("set", words.isEmpty ? "all left to the camera" : Self.list(words)))
      for note in controls.notes { rows.append(("", note)) }
    }
    if let calibration = overview.calibration {
      rows.append(("calibrated", Self.list(Self.words(calibration))))
    }
    if let fault = session.lastFault {
      rows.append(("last fault", fault))
      let tried = session.lastRecovery.map { "tried \($0)" }
      let outage = session.lastOutageMilliseconds.map {
        "frames again after \(Figures.decimal($0, 0, unit: "ms"))"
      }
      rows.append(("", Self.list([tried, outage].compactMap(\.self))))
    }
    return LabeledRows(rows.filter { !$0.1.isEmpty }).lines(width: width)
  }

  /// Returns the calibration kept for the camera.
  package func lines(_ calibration: CalibrationReport) -> [String] {
    LabeledRows([("calibrated", Self.list(Self.words(calibration)))]).lines(width: width)
  }

  /// Returns a table with a row for each interruption: first current ones, then ended ones.
  package func lines(_ list: InterruptionList) -> [String] {
    guard !(list.lasting.isEmpty && list.ended.isEmpty) else {
      return ["No interruption since the service began."]
    }
    var table = TextTable(columns: [
      TextTable.Column("began s", isRightAligned: true),
      TextTable.Column("lasted s", isRightAligned: true),
      TextTable.Column("reason"), TextTable.Column("cause"),
    ])
    for report in list.lasting + list.ended {
      let lasted = report.endedNanoseconds.map {
        Figures.decimal(Double($0 - report.beganNanoseconds) / 1e9, 1)
      }
      table.add([
        Figures.decimal(Double(report.beganNanoseconds) / 1e9, 1), lasted ?? "lasts",
        report.reason + (report.refuses ? "" : " (warning)"), report.cause ?? "-",
      ])
    }
    return table.lines(width: width)
  }

  /// Returns a session's settings in one line.
  static func text(_ settings: SessionSettingsReport) -> String {
    var words = ["camera \(settings.camera)"]
    words.append(settings.size.map { "\($0.width)x\($0.height)" } ?? settings.preset)
    if case .fixed(let rate) = settings.frameRate {
      words.append("\(Figures.decimal(rate, 1)) frames/s")
    }
    let controls = settings.controls
    if controls.videoZoomFactor != 1 {
      words.append("zoom \(Figures.decimal(controls.videoZoomFactor, 2))")
    }
    words += Self.words(controls)
    if let hertz = controls.flickerAvoidance.hertz { words.append("flicker \(hertz) Hz") }
    words.append(settings.prioritization + (settings.fastCapture ? "" : ", no fast capture"))
    return list(words)
  }

  private static func words(_ report: CalibrationReport) -> [String] {
    [
      report.exposureMicroseconds.map {
        "exposure \(Figures.decimal($0 / 1000, 2, unit: "ms"))"
      },
      report.gain.map { "gain \(Figures.decimal($0, 2))" },
      report.redGain.map { "red \(Figures.decimal($0, 2))" },
      report.blueGain.map { "blue \(Figures.decimal($0, 2))" },
      report.dioptres.map { "focus \(Figures.decimal($0, 2)) dioptres" },
    ].compactMap(\.self)
  }

  /// Returns the modes and the controls of the image that are set.
  private static func words(_ controls: CameraControls) -> [String] {
    var words: [String] = []
    switch controls.exposureMode {
    case nil: break
    case .continuousAutoExposure?: words.append("exposure auto")
    case .locked?: words.append("exposure locked")
    case .custom(let duration, let gain)?:
      words.append(
        "exposure \(Figures.decimal(duration.inMilliseconds, 2, unit: "ms")) gain "
          + Figures.decimal(gain, 2))
    }
    switch controls.whiteBalanceMode {
    case nil: break
    case .continuousAutoWhiteBalance?: words.append("white balance auto")
    case .locked?: words.append("white balance locked")
    case .custom(let gains)?:
      words.append(
        "white balance red \(Figures.decimal(gains.red, 2)) "
          + "blue \(Figures.decimal(gains.blue, 2))")
    }
    switch controls.focusMode {
    case nil: break
    case .continuousAutoFocus?: words.append("focus continuous")
    case .autoFocus?: words.append("focus auto")
    case .locked(nil)?: words.append("focus locked")
    case .locked(let position?)?:
      words.append("focus \(Figures.decimal(position, 2)) dioptres")
    }
    for control in ImageControl.allCases {
      guard let value = controls.image[control] else { continue }
      words.append("\(control.rawValue) \(Figures.decimal(value, 2))")
    }
    return words
  }

  private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}
