public import API
import Capture
import Devices

/// The table of the lights, from the one place in which the lights' language is kept.
///
/// It needs no service, so that a technician can read the lights of a rig on which none runs.
public struct LightTableView {
  private let width: Int

  /// Makes a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  public init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// The rows for a program.
  public static var rows: [LightTableRow] {
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

  /// The rows for people, a heading for each light, and how to count a code.
  public var lines: [String] {
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

  /// How a code is counted.
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

  /// What is seen, then what it means, below it where it is too long to stand beside it.
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
