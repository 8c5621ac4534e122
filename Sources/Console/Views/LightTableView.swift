package import API
import Capture
import Devices

/// The table of the lights, from the single source of the lights' language.
///
/// The table needs no service, so that a technician can read the lights of a rig without one.
package struct LightTableView {
  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  package init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// The rows for a program.
  package static var rows: [LightTableRow] {
    IndicatorLanguage.table.map { entry in
      LightTableRow(
        light: entry.light?.rawValue, color: entry.color, state: entry.state, shown: entry.shown,
        meaning: entry.meaning, code: entry.code?.description,
        pattern: entry.pattern.steps.map { step in
          LightTableRow.Step(
            level: step.level,
            milliseconds: entry.pattern.period == .zero ? nil : step.duration / .milliseconds(1))
        })
    }
  }

  /// The rows for people, with a heading for each light, and the instruction to count a code.
  package var lines: [String] {
    var lines: [String] = []
    var light: String?
    for row in Self.rows {
      let heading = row.light.map { "\($0) (\(row.color))" } ?? row.color
      if heading != light {
        lines += (light == nil ? [] : [""]) + [heading]
        light = heading
      }
      lines += self.lines(row)
    }
    return lines + [""] + PlainText.wrapping(Self.counting, to: width)
  }

  /// The instruction to count a code.
  private static var counting: String {
    let milliseconds = { (duration: Duration) in
      Figures.decimal(duration / .milliseconds(1), 0, unit: "ms")
    }
    return
      "A code such as 2-3 is two flashes, a pause of \(milliseconds(BlinkCode.betweenDigits)), "
      + "three flashes, a pause of \(milliseconds(BlinkCode.betweenCodes)), and so on; a flash is "
      + "lit for \(milliseconds(BlinkCode.flash.lit)) and dark for "
      + "\(milliseconds(BlinkCode.flash.dark)), a dark moment the other way round."
  }

  /// Returns the signal and its meaning, which moves below a signal that is too long.
  private func lines(_ row: LightTableRow) -> [String] {
    let indent = String(repeating: " ", count: 16)
    let meaning = PlainText.wrapping("\(row.meaning) (\(row.state))", to: width - indent.count)
    guard row.shown.count <= indent.count - 4 else {
      return PlainText.wrapping(row.shown, to: width - 2).map { "  \($0)" }
        + meaning.map { indent + $0 }
    }
    return meaning.enumerated().map { index, text in
      guard index == 0 else { return indent + text }
      return "  \(row.shown)" + indent.dropFirst(2 + row.shown.count) + text
    }
  }
}
