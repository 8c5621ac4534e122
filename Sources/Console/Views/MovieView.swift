package import API
import Devices

/// The view of the recording that goes on, and of the one before.
extension MovieReport: Presentable {
  package var blocks: [TextBlock] {
    var rows = [("recording", text)]
    if let soundEnd {
      rows.append(("sound", soundEnd))
    } else if let soundLevelDecibels {
      rows.append(("sound", Figures.decimal(soundLevelDecibels, 1, unit: "dBFS")))
    }
    if recorderFailures > 0 {
      rows.append(("recorder", "failed \(recorderFailures.counted("time"))"))
    }
    return [.rows(rows + (last?.rows ?? []))]
  }

  /// The state with its figures in one line.
  var text: String {
    var parts = [state.rawValue + (reason.map { " (\($0))" } ?? "")]
    if let press {
      parts += [
        "press \(press)", Figures.span(seconds: elapsedSeconds), frames.counted("frame"),
        "\(droppedFrames) dropped", Figures.bytes(bytes),
      ]
    }
    return parts.joined(separator: ", ")
  }
}

/// The view of a recording with its outcome.
extension RecordingReport: Presentable {
  package var blocks: [TextBlock] { [.rows(rows)] }

  /// The rows of the outcome and of the parts.
  fileprivate var rows: [(String, String)] { [("recorded", text)] + items.map { ("", $0) } }

  /// The outcome with its figures in one line.
  var text: String {
    let press = self.press.map { "press \($0) " } ?? ""
    guard outcome.value == .stored else {
      return "\(press)\(outcome) (\(reason))" + (cause.map { ": \($0)" } ?? "")
    }
    let lost = gaps.filter { $0.reasons != ["paused"] }.map { gap in
      "gap of \(Figures.decimal(gap.seconds, 1, unit: "s")): \(gap.reasons.joined(separator: ", "))"
    }
    return
      ([
        "\(press)\(outcome), \(reason)", Figures.span(seconds: durationSeconds),
        frames.counted("frame"), "\(droppedFrames) dropped", Figures.bytes(bytes),
        items.count.counted("part"),
      ] + lost + [soundEnd, cause].compactMap { $0 }).joined(separator: ", ")
  }
}
