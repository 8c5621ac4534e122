package import API
import Capture
import Devices

/// The table of the lights, from the single source of the lights' language.
///
/// The table needs no service, so that a technician can read the lights of a rig without one.
package struct LightTable: Presentable {
  package init() {}

  /// The rows for a program.
  package var rows: [LightTableRow] {
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

  package var blocks: [TextBlock] {
    var blocks: [TextBlock] = []
    var light: String?
    for row in rows {
      let heading = row.light.map { "\($0) (\(row.color))" } ?? row.color
      if heading != light {
        if light != nil { blocks.append(.line("")) }
        blocks.append(.line(heading))
        light = heading
      }
      // The meaning moves below a signal that is too long.
      let isShort = row.shown.count <= 12
      if !isShort { blocks.append(.labeled("", [row.shown], indent: 2)) }
      blocks.append(
        .labeled(isShort ? "  \(row.shown)" : "", ["\(row.meaning) (\(row.state))"], indent: 16))
    }
    return blocks + [.line(""), .paragraph(Self.counting)]
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
      + "\(milliseconds(BlinkCode.flash.dark)), a dark moment the other way round. A flash of "
      + "\(milliseconds(PageWarning.longFlash.lit)) and then short ones are a warning about the "
      + "picture just taken."
  }
}
