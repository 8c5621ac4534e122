import API
import Devices

/// The changes on a rig, one line for each change.
package struct EventView {
  private let width: Int
  private var firstTime: Int64?

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns, 20 or more.
  package init(width: Int = 80) {
    self.width = max(20, width)
  }

  /// Returns the line for a change: the seconds since the first one, then a description.
  ///
  /// - Returns: the line, at most as wide as the terminal; `nil` when there is nothing to show.
  package mutating func line(_ item: RigEventItem) -> String? {
    switch item {
    case .listening:
      return nil
    case .missed(let missed):
      let count =
        missed.count?.counted("event was", "events were") ?? "events of an earlier run were"
      return PlainText.truncating("        -  \(count) missed", to: width)
    case .event(let event, _):
      let first = firstTime ?? event.timeNanoseconds
      firstTime = first
      let seconds = Double(event.timeNanoseconds) / 1e9 - Double(first) / 1e9
      let stamp = Figures.decimal(seconds, 3)
      let pad = String(repeating: " ", count: max(0, 9 - stamp.count))
      return PlainText.truncating(
        "\(pad)\(stamp)  \(PlainText.escaping(text(event.payload)))", to: width)
    }
  }

  /// Returns the line for a change, and below it the advice about a stored picture.
  package mutating func lines(_ item: RigEventItem) -> [String] {
    guard let line = line(item) else { return [] }
    guard case .event(let event, _) = item, case .press(let press) = event.payload else {
      return [line]
    }
    let indent = String(repeating: " ", count: 11)
    return [line] + press.advice.map { PlainText.truncating(indent + $0, to: width) }
  }

  private func text(_ payload: RigEvent.Payload) -> String {
    switch payload {
    case .readiness(let report):
      return "readiness \(report.summary)"
    case .press(let report):
      return report.line
    case .progress(let report):
      return progress(report)
    case .interruption(let report):
      let cause = report.cause.map { ": \($0)" } ?? ""
      let (begin, name) =
        report.refuses ? ("interrupted", "interruption") : ("warning", "warning")
      guard let ended = report.endedNanoseconds else {
        return "\(begin), \(report.reason)\(cause)"
      }
      let length = Figures.decimal(Double(ended - report.beganNanoseconds) / 1e9, 1, unit: "s")
      return "\(name) ended, \(report.reason), after \(length)"
    case .thermal(let report):
      return "thermal " + report.texts.joined(separator: ", ")
    case .session(let report):
      let camera = report.camera.map { ", \($0.model)" } ?? ""
      return "session \(report.state)\(camera)"
    case .configuration(let report):
      return "configuration " + report.text
    case .delivery(let report):
      let press = report.press.map { "press \($0)" } ?? report.itemID
      let receipt = report.receipt.map { ", receipt \($0.status)" } ?? ""
      return
        "delivery of \(press) to \(report.target) \(report.state)\(report.detail.map { ": \($0)" } ?? "")\(receipt)"
    case .buttons(let reports):
      return "buttons: " + reports.texts.joined(separator: "; ")
    case .rotation(let report):
      return "rotation capture \(report.captureAngle)°, EXIF \(report.exifOrientation), "
        + "accelerometer \(report.accelerometer)"
    case .handsFree(let report):
      guard let seconds = report.secondsLeft else { return "countdown ended" }
      return "picture without a press in \(seconds) s"
    case .movie(let report):
      let last = report.state.value == .idle ? report.last : nil
      return last.map { "recorded " + $0.text } ?? "recording " + report.text
    case .targets(let reports):
      let states = reports.map { target in
        let why =
          [target.detail].compactMap(\.self) + target.holds
          + target.faults.map(\.rawValue)
        return "\(target.name) \(target.state)"
          + (why.isEmpty ? "" : ": \(why.joined(separator: ", "))")
      }
      return "targets: " + states.joined(separator: "; ")
    }
  }

  private func progress(_ report: CaptureProgressReport) -> String {
    var details: [String] = []
    if let prioritization = report.prioritization {
      details.append(
        prioritization.rawValue + (report.isFastCapture == true ? " (fast capture)" : ""))
    }
    if let flash = report.flash {
      let fires = report.isFlashEnabled == true ? "fires" : "does not fire"
      details.append("flash \(flash) \(fires)")
    }
    if let reason = report.singleFrame { details.append("single frame (\(reason))") }
    if let frames = report.averagedFrames {
      details.append("average of \(Figures.decimal(frames, 1)) frames")
    }
    if report.isProxy == true { details.append("proxy") }
    if let index = report.index, let count = report.count {
      details.append("\(report.kind ?? "file") \(index) of \(count)")
    }
    if let reason = report.reason { details.append("refused: \(reason)") }
    return (["press \(report.press) \(report.step.rawValue)"] + details).joined(separator: ", ")
  }
}
