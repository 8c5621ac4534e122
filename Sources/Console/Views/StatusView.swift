package import API
import Devices

/// The view of a rig's status in at most 23 lines, one or more for each part of the rig.
///
/// A terminal with 24 rows has one more for the next input.
extension RigStatus: Presentable {
  package var blocks: [TextBlock] {
    let uptime = Figures.span(seconds: uptimeSeconds)
    let parts: [(String, [String])] = [
      ("rig", ["\(rig), \(board) board, platend \(version), up \(uptime)"]),
      ("readiness", [readiness.summary]),
      ("camera", session.texts),
      ("process", [session.cameraProcess?.text ?? "the service's own"]),
      ("lamp", [session.lamp?.text ?? "none, or not needed yet"]),
      ("rotation", rotation.texts),
      ("thermal", thermal.texts),
      ("presses", [presses.text] + (presses.warnings ?? []).map(\.sentences)),
      ("recording", movie.map { [$0.text] } ?? []),
      ("spool", [spool.text]),
      ("targets", targets.isEmpty ? ["none"] : targets.flatMap(\.texts)),
      ("buttons", buttons.texts),
      ("lights", lights.isEmpty ? ["none"] : lights.map(\.text)),
    ]
    return [.fitting(parts.map { TextBlock.labeled($0, $1, indent: 12) }, lines: 23)]
  }
}

extension SessionReport {
  fileprivate var texts: [String] {
    let preset = self.preset.map { ["preset \($0)"] } ?? []
    let age = lastFrameAgeMilliseconds.map {
      ", the last \(Figures.decimal($0, 0, unit: "ms")) ago"
    }
    return [
      camera.map { "\($0.model), \($0.id)" } ?? "none",
      ([state.rawValue] + preset + stream).joined(separator: ", "),
      "\(framesSeen.counted("frame")) seen\(age ?? "")",
    ] + adjustments
  }
}

extension CameraProcessReport {
  fileprivate var text: String {
    var words = [processID.map { "\($0)" } ?? "none"]
    words.append(starts == 1 ? "started once" : "started \(starts) times")
    if let end = lastEnd { words.append("last: \(end.detail)") }
    return words.joined(separator: ", ")
  }
}

extension LampReport {
  fileprivate var text: String {
    (isLit ? "lit" : "dark") + (fault.map { ", but it fails: \($0)" } ?? "")
  }
}

extension RotationReport {
  fileprivate var texts: [String] {
    let angles =
      "capture \(captureAngle)°, preview \(previewAngle)°, "
      + "EXIF \(exifOrientation), accelerometer \(accelerometer)"
    let acceleration = self.acceleration.map { axes in
      "acceleration \(axes.map { Figures.decimal($0, 1) }.joined(separator: " ")) m/s²"
    }
    return [angles] + (acceleration.map { [$0] } ?? [])
  }
}

extension PressSummary {
  fileprivate var text: String {
    "\(stored) stored, \(refused) refused, \(inFlight) in flight"
      + (last.map { ", last number \($0)" } ?? "")
  }
}

extension SpoolReport {
  fileprivate var text: String {
    "\(waiting) waiting (\(Figures.bytes(bytesWaiting))), \(delivered) delivered, "
      + "\(parked) parked, \(quarantined) quarantined"
      + (proxies + keptProxies > 0 ? ", \(proxies) to finish, \(keptProxies) kept as proxies" : "")
      + (isStale == true ? ", as known last: the spool does not answer" : "")
  }
}

extension TargetReport {
  fileprivate var texts: [String] {
    var parts = ["\(name): \(state)"]
    if let seconds = nextAttemptSeconds {
      parts.append("next attempt in \(Figures.span(seconds: seconds))")
    }
    parts += holds + faults.map(\.rawValue)
    parts.append("\(delivered) delivered")
    if parked > 0 { parts.append("\(parked) parked") }
    parts.append("\(kind) \(url)")
    return [parts.joined(separator: ", ")] + (detail.map { [$0] } ?? []) + running.map(\.progress)
  }
}

extension TargetReport.Running {
  fileprivate var progress: String {
    let sent = bytesSent.map { "\(Figures.bytes($0)) of \(Figures.bytes(bytes))" }
    let share = fraction.map { "\(Figures.decimal(100 * $0, 0)) %" }
    return [itemID, sent, share, text].compactMap { $0 }.joined(separator: ", ")
  }
}

extension [ButtonReport] {
  /// A line for all buttons in order, then a line for each of the others.
  var texts: [String] {
    if isEmpty { return ["none"] }
    let well = filter { $0.faults.isEmpty && $0.lostEdges == 0 && $0.spikes == 0 }.map(\.name)
    let others = filter { !well.contains($0.name) }.map { report in
      let lost = report.lostEdges == 0 ? [] : ["\(report.lostEdges.counted("edge")) lost"]
      let spikes =
        report.spikes == 0 ? [] : ["\(report.spikes.counted("pulse")) too short for a press"]
      let words =
        (report.faults.isEmpty ? ["in order"] : report.faults.map(\.rawValue)) + lost + spikes
      return "button \(report.name): \(words.joined(separator: ", "))"
    }
    return (well.isEmpty ? [] : ["\(well.joined(separator: ", ")) in order"]) + others
  }
}

extension LightReport {
  fileprivate var text: String {
    let shown = self.shown.map { " \($0)" } ?? " not set yet"
    let state = self.state.map { ": \($0)" } ?? ""
    return "\(role)\(shown)\(state)\(isFailing ? ", but it cannot be set" : "")"
  }
}
