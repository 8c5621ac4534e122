package import API
import Devices

/// The rig's heat in full: a row for each zone, the current limits and the past refusals.
package struct ThermalTable: Presentable {
  private let report: ThermalReport
  private let interruptions: InterruptionList

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - report: the current heat.
  ///   - interruptions: the current and the ended interruptions.
  package init(_ report: ThermalReport, _ interruptions: InterruptionList) {
    self.report = report
    self.interruptions = interruptions
  }

  package var blocks: [TextBlock] {
    let number = { (value: Double?) in Figures.decimal(value, 1) }
    let table = TextTable(
      [
        "zone", .right("°C"), .right("fair"), .right("serious"), .right("critical"),
        .right("switches off"),
      ],
      report.temperatures.map { zone in
        [
          zone.zone == report.hottest ? "\(zone.zone) (hottest)" : zone.zone,
          zone.celsius == nil ? "unreadable" : number(zone.celsius),
          number(zone.limits?.fair), number(zone.limits?.serious),
          number(zone.limits?.critical), number(zone.limits?.shutdown),
        ]
      })
    let known = (interruptions.lasting + interruptions.ended).filter {
      $0.reason.value == .thermalPressure
    }
    let history = known.map { interruption in
      guard let ended = interruption.endedNanoseconds else { return "presses are refused now" }
      let seconds = Double(ended - interruption.beganNanoseconds) / 1e9
      return "presses were refused for \(Figures.span(seconds: seconds)), "
        + "\(Figures.span(seconds: Double(interruption.beganNanoseconds) / 1e9)) after the boot"
    }
    let notes =
      Array(report.texts.dropFirst())
      + (report.constraints == nil ? ["nothing is slowed down"] : [])
      + (history.isEmpty ? ["no press was refused for heat, as far as is remembered"] : history)
    let zones: TextBlock =
      report.temperatures.isEmpty ? .line("this rig measures no temperature") : .table(table)
    return [TextBlock.paragraph("state \(report.state)"), zones]
      + notes.map { TextBlock.paragraph($0) }
  }
}
