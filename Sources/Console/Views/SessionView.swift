package import API
import Devices

/// The view of the requested and the resolved settings, the calibration and the readiness.
extension SessionOverview: Presentable {
  package var blocks: [TextBlock] {
    var rows = [
      ("readiness", readiness.summary),
      ("state", session.state.rawValue),
      ("camera", session.camera.map { "\($0.model), \($0.id)" } ?? "none"),
      (
        "role",
        settings.camera + (session.isStandbyInUse == true ? ", its standby is in use" : "")
          + (cameras.count > 1 ? ", of \(cameras.joined(separator: ", "))" : "")
      ),
      ("wanted", settings.text),
    ]
    let stream = session.stream
    rows.append(("resolved", stream.isEmpty ? "when there is a camera" : list(stream)))
    for adjustment in session.adjustments { rows.append(("", adjustment)) }
    if let controls {
      let words = controls.controls.words
      rows.append(("set", words.isEmpty ? "all left to the camera" : list(words)))
      for note in controls.notes { rows.append(("", note)) }
    }
    if let calibration { rows.append(("calibrated", list(calibration.words))) }
    if let fault = session.lastFault {
      rows.append(("last fault", fault))
      let tried = session.lastRecovery.map { "tried \($0)" }
      let outage = session.lastOutageMilliseconds.map {
        "frames again after \(Figures.decimal($0, 0, unit: "ms"))"
      }
      rows.append(("", list([tried, outage].compactMap(\.self))))
    }
    return [.rows(rows.filter { !$0.1.isEmpty })]
  }
}

extension SessionReport {
  /// The size, pixel format and rate of the frames, as far as they are known.
  var stream: [String] {
    [
      size.map { "\($0.width)x\($0.height)" }, pixelFormat?.rawValue,
      frameRate.map { "\(Figures.decimal($0, 1)) frames/s" },
    ].compactMap(\.self)
  }
}

/// The view of the calibration kept for the camera.
extension CalibrationReport: Presentable {
  package var blocks: [TextBlock] { [.rows([("calibrated", list(words))])] }

  fileprivate var words: [String] {
    lightWords + (diopters.map { ["focus \(Figures.decimal($0, 2)) diopters"] } ?? [])
  }

  /// The exposure and the gains.
  var lightWords: [String] {
    [
      exposureMicroseconds.map { "exposure \(Figures.decimal($0 / 1000, 2, unit: "ms"))" },
      gain.map { "gain \(Figures.decimal($0, 2))" },
      redGain.map { "red \(Figures.decimal($0, 2))" },
      blueGain.map { "blue \(Figures.decimal($0, 2))" },
    ].compactMap(\.self)
  }
}

/// The view of interruptions, a row for each: first current ones, then ended ones.
extension InterruptionList: Presentable {
  package var blocks: [TextBlock] {
    guard !(lasting.isEmpty && ended.isEmpty) else {
      return [.line("No interruption since the service began.")]
    }
    let rows = (lasting + ended).map { report -> [String] in
      let lasted = report.endedNanoseconds.map {
        Figures.decimal(Double($0 - report.beganNanoseconds) / 1e9, 1)
      }
      return [
        Figures.decimal(Double(report.beganNanoseconds) / 1e9, 1), lasted ?? "lasts",
        report.reason.rawValue + (report.refuses ? "" : " (warning)"), report.cause ?? "-",
      ]
    }
    return [.table(TextTable([.right("began s"), .right("lasted s"), "reason", "cause"], rows))]
  }
}

extension SessionSettingsReport {
  /// The settings in one line.
  var text: String {
    var words = ["camera \(camera)"]
    words.append(size.map { "\($0.width)x\($0.height)" } ?? preset)
    if case .fixed(let rate) = frameRate {
      words.append("\(Figures.decimal(rate, 1)) frames/s")
    }
    words += controls.words
    words.append(prioritization.rawValue + (fastCapture ? "" : ", no fast capture"))
    if let flash { words.append("flash \(flash)") }
    return list(words)
  }
}

extension CameraControls {
  /// The controls that are set.
  fileprivate var words: [String] {
    let modes = CameraControl.allCases.compactMap { control in
      control.text(in: self) { Figures.decimal($0, 2, unit: $1) }
    }
    let numbers = ImageControl.allCases.compactMap { control in
      image[control].map { "\(control.rawValue) \(Figures.decimal($0, 2))" }
    }
    return modes + numbers
  }
}

private func list(_ words: [String]) -> String { words.joined(separator: ", ") }
