public import API

/// A rig's status as lines for a terminal.
public struct StatusView {
  private let width: Int
  private static let labelWidth = 10

  /// Makes a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  public init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// The status, one part of the rig a line, more where a line is too long.
  ///
  /// A rig that is well takes less than 24 lines.
  public func lines(_ status: RigStatus) -> [String] {
    let parts: [(String, [String])] = [
      ("rig", ["\(status.rig), \(status.board) board, platend \(status.version)"]),
      ("up", [Figures.span(seconds: status.uptimeSeconds)]),
      ("readiness", [readiness(status.readiness)]),
      ("camera", camera(status.session)),
      ("rotation", rotation(status.rotation)),
      ("thermal", [thermal(status.thermal)]),
      ("presses", [presses(status.presses)]),
      ("spool", [spool(status.spool)]),
      ("targets", status.targets.isEmpty ? ["none"] : status.targets.flatMap(target)),
      ("lights", [lights(status.indicators)]),
    ]
    return parts.flatMap { label, texts in lines(label, texts) }
  }

  private func lines(_ label: String, _ texts: [String]) -> [String] {
    let pad = { (text: String) in
      text + String(repeating: " ", count: max(1, Self.labelWidth + 2 - text.count))
    }
    var result: [String] = []
    for text in texts {
      let room = width - Self.labelWidth - 2
      for part in PlainText.wrapping(PlainText.escaping(text), to: room) {
        result.append(pad(result.isEmpty ? label : "") + part)
      }
    }
    return result
  }

  private func readiness(_ report: ReadinessReport) -> String {
    report.reasons.isEmpty
      ? report.state : "\(report.state): \(report.reasons.joined(separator: ", "))"
  }

  private func camera(_ report: SessionReport) -> [String] {
    var texts: [String] = []
    if let camera = report.camera {
      texts.append("\(camera.model), \(camera.id)")
    } else {
      texts.append("none")
    }
    var stream = [report.state]
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

  private func rotation(_ report: RotationReport) -> [String] {
    let angles =
      "capture \(report.captureAngle)°, preview \(report.previewAngle)°, "
      + "EXIF \(report.exifOrientation), accelerometer \(report.accelerometer)"
    let acceleration = report.acceleration.map { axes in
      "acceleration \(axes.map { Figures.decimal($0, 1) }.joined(separator: " ")) m/s²"
    }
    return [angles] + (acceleration.map { [$0] } ?? [])
  }

  private func thermal(_ report: ThermalReport) -> String {
    let zones = report.temperatures.map { "\($0.zone) \(Figures.decimal($0.celsius, 1)) °C" }
    return ([report.state] + zones).joined(separator: ", ")
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

  private func lights(_ indicators: [String: String]) -> String {
    guard !indicators.isEmpty else { return "none" }
    return indicators.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      .joined(separator: ", ")
  }
}
