public import API

/// Heat in full, for whoever looks for its cause.
public struct ThermalTableView {
  private let width: Int

  /// Makes a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  public init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// The state and what the rig does without, a row for each zone, and when presses were refused.
  ///
  /// - Parameters:
  ///   - report: the heat now.
  ///   - interruptions: those that last, and those that have ended.
  public func lines(_ report: ThermalReport, _ interruptions: InterruptionList) -> [String] {
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
