package import API

/// A rig's status as lines for a terminal.
package struct StatusView {
  private let width: Int
  /// The lines of a terminal with 24 rows, one of which is for the next input.
  private static let maximumLines = 23

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  package init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// Returns the status in at most 23 lines, one or more for each part of the rig.
  ///
  /// The longest parts are cut first; `…` marks a cut.
  package func lines(_ status: RigStatus) -> [String] {
    let uptime = Figures.span(seconds: status.uptimeSeconds)
    let parts: [(String, [String])] = [
      (
        "rig", ["\(status.rig), \(status.board) board, platend \(status.version), up \(uptime)"]
      ),
      ("readiness", [status.readiness.summary]),
      ("camera", camera(status.session)),
      ("process", [process(status.session.cameraProcess)]),
      ("lamp", [lamp(status.session.lamp)]),
      ("rotation", rotation(status.rotation)),
      ("thermal", ThermalView().lines(status.thermal)),
      ("presses", [presses(status.presses)]),
      ("spool", [spool(status.spool)]),
      ("targets", status.targets.isEmpty ? ["none"] : status.targets.flatMap(target)),
      ("buttons", Self.buttons(status.buttons)),
      ("lights", lights(status.lights)),
    ]
    return fitting(parts.map { label, texts in lines(label, texts) }).flatMap(\.self)
  }

  /// Takes lines from the longest parts until all fit.
  private func fitting(_ parts: [[String]]) -> [[String]] {
    var counts = parts.map(\.count)
    while counts.reduce(0, +) > Self.maximumLines, let most = counts.max(), most > 1,
      let index = counts.lastIndex(of: most)
    {
      counts[index] -= 1
    }
    return zip(parts, counts).map { part, count in
      guard count < part.count, let last = part.prefix(count).last else { return part }
      return part.prefix(count - 1) + [PlainText.truncating(last, to: width - 2) + " …"]
    }
  }

  private func lines(_ label: String, _ texts: [String]) -> [String] {
    PlainText.labeled(label, texts, indent: 12, to: width)
  }

  private func camera(_ report: SessionReport) -> [String] {
    var texts: [String] = []
    if let camera = report.camera {
      texts.append("\(camera.model), \(camera.id)")
    } else {
      texts.append("none")
    }
    var stream = [report.state]
    if let preset = report.preset { stream.append("preset \(preset)") }
    if let size = report.size { stream.append("\(size.width)x\(size.height)") }
    if let pixelFormat = report.pixelFormat { stream.append(pixelFormat) }
    if report.frameRate != nil {
      stream.append("\(Figures.decimal(report.frameRate, 1)) frames/s")
    }
    texts.append(stream.joined(separator: ", "))
    let age = report.lastFrameAgeMilliseconds.map {
      ", the last \(Figures.decimal($0, 0, unit: "ms")) ago"
    }
    texts.append("\(report.framesSeen) frames seen\(age ?? "")")
    return texts + report.adjustments
  }

  private func process(_ report: CameraProcessReport?) -> String {
    guard let report else { return "the service's own" }
    var words = [report.processID.map { "\($0)" } ?? "none"]
    words.append(report.starts == 1 ? "started once" : "started \(report.starts) times")
    if let end = report.lastEnd { words.append("last: \(end.detail)") }
    return words.joined(separator: ", ")
  }

  private func lamp(_ report: LampReport?) -> String {
    guard let report else { return "none, or not needed yet" }
    return (report.isLit ? "lit" : "dark") + (report.fault.map { ", but it fails: \($0)" } ?? "")
  }

  private func rotation(_ report: RotationReport) -> [String] {
    let angles =
      "capture \(report.captureAngle)°, preview \(report.previewAngle)°, "
      + "EXIF \(report.exifOrientation), accelerometer \(report.accelerometer)"
    let acceleration = report.acceleration.map { axes in
      "acceleration \(axes.map { Figures.decimal($0, 1) }.joined(separator: " ")) m/s²"
    }
    return [angles] + (acceleration.map { [$0] } ?? [])
  }

  private func presses(_ summary: PressSummary) -> String {
    let last = summary.last.map { ", last number \($0)" } ?? ""
    return "\(summary.stored) stored, \(summary.refused) refused, "
      + "\(summary.inFlight) in flight\(last)"
  }

  private func spool(_ report: SpoolReport) -> String {
    "\(report.waiting) waiting (\(Figures.bytes(report.bytesWaiting))), "
      + "\(report.delivered) delivered, \(report.parked) parked, "
      + "\(report.quarantined) quarantined"
  }

  private func target(_ report: TargetReport) -> [String] {
    var parts = ["\(report.name): \(report.state)"]
    if let seconds = report.nextAttemptSeconds {
      parts.append("next attempt in \(Figures.span(seconds: seconds))")
    }
    parts += report.holds
    parts.append("\(report.delivered) delivered")
    if report.parked > 0 { parts.append("\(report.parked) parked") }
    parts.append("\(report.kind) \(report.url)")
    let running = report.running.map { delivery in
      var words = [delivery.itemID]
      if let sent = delivery.bytesSent {
        words.append("\(Figures.bytes(sent)) of \(Figures.bytes(delivery.bytes))")
      }
      if let fraction = delivery.fraction {
        words.append("\(Figures.decimal(100 * fraction, 0)) %")
      }
      if let text = delivery.text { words.append(text) }
      return words.joined(separator: ", ")
    }
    return [parts.joined(separator: ", ")] + (report.detail.map { [$0] } ?? []) + running
  }

  /// Returns a line for all buttons in order, then a line for each of the others.
  static func buttons(_ reports: [ButtonReport]) -> [String] {
    let well = reports.filter { $0.faults.isEmpty && $0.lostEdges == 0 && $0.spikes == 0 }
      .map(\.name)
    let others = reports.filter { !well.contains($0.name) }.map { report in
      let lost = report.lostEdges == 0 ? [] : ["\(report.lostEdges) edges lost"]
      let spikes = report.spikes == 0 ? [] : ["\(report.spikes) pulses too short for a press"]
      let words = (report.faults.isEmpty ? ["in order"] : report.faults) + lost + spikes
      return "button \(report.name): \(words.joined(separator: ", "))"
    }
    if reports.isEmpty { return ["none"] }
    return (well.isEmpty ? [] : ["\(well.joined(separator: ", ")) in order"]) + others
  }

  private func lights(_ reports: [LightReport]) -> [String] {
    guard !reports.isEmpty else { return ["none"] }
    return reports.map { light in
      let shown = light.shown.map { " \($0)" } ?? " not set yet"
      let state = light.state.map { ": \($0)" } ?? ""
      return "\(light.role)\(shown)\(state)\(light.isFailing ? ", but it cannot be set" : "")"
    }
  }
}
