package import API

/// The rig's heat in full, for the search for a cause.
package struct ThermalTableView {
  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  package init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// Returns the state, a row for each zone, the current limits and the past refusals.
  ///
  /// - Parameters:
  ///   - report: the current heat.
  ///   - interruptions: the current and the ended interruptions.
  package func lines(_ report: ThermalReport, _ interruptions: InterruptionList) -> [String] {
    var table = TextTable(columns: [
      TextTable.Column("zone"), TextTable.Column("°C", isRightAligned: true),
      TextTable.Column("fair", isRightAligned: true),
      TextTable.Column("serious", isRightAligned: true),
      TextTable.Column("critical", isRightAligned: true),
      TextTable.Column("switches off", isRightAligned: true),
    ])
    let number = { (value: Double?) in Figures.decimal(value, 1) }
    for zone in report.temperatures {
      table.add([
        zone.zone == report.hottest ? "\(zone.zone) (hottest)" : zone.zone, number(zone.celsius),
        number(zone.limits?.fair), number(zone.limits?.serious), number(zone.limits?.critical),
        number(zone.limits?.shutdown),
      ])
    }
    let zones =
      report.temperatures.isEmpty
      ? ["this rig measures no temperature"] : table.lines(width: width)
    let known = (interruptions.lasting + interruptions.ended).filter {
      $0.reason == "thermalPressure"
    }
    let history = known.map { interruption in
      guard let ended = interruption.endedNanoseconds else { return "presses are refused now" }
      let seconds = Double(ended - interruption.beganNanoseconds) / 1e9
      return "presses were refused for \(Figures.span(seconds: seconds)), "
        + "\(Figures.span(seconds: Double(interruption.beganNanoseconds) / 1e9)) after the boot"
    }
    let notes =
      Array(ThermalView().lines(report).dropFirst())
      + (report.constraints == nil ? ["nothing is slowed down"] : [])
      + (history.isEmpty ? ["no press was refused for heat, as far as is remembered"] : history)
    return PlainText.wrapping(PlainText.escaping("state \(report.state)"), to: width) + zones
      + notes.flatMap { PlainText.wrapping(PlainText.escaping($0), to: width) }
  }
}
