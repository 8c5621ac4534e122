import API

/// The heat and the supply as lines for a terminal.
struct ThermalView {
  /// Returns the state and the zones, then the firmware's flags and the current limits, if any.
  func lines(_ report: ThermalReport) -> [String] {
    let zones = report.temperatures.map { "\($0.zone) \(Figures.decimal($0.celsius, 1)) °C" }
    var lines = [([report.state] + zones).joined(separator: ", ")]
    if let firmware = report.firmware, !firmware.sinceBoot.isEmpty {
      let before = firmware.sinceBoot.filter { !firmware.now.contains($0) }
      let words = firmware.now + before.map { "\($0) before" }
      lines.append("firmware \(words.joined(separator: ", "))")
    }
    if let constraints = report.constraints { lines.append(text(constraints)) }
    if report.isShuttingDown == true { lines.append("switching off") }
    return lines
  }

  private func text(_ constraints: ThermalConstraintsReport) -> String {
    var words: [String] = []
    if let rate = constraints.maximumFrameRate {
      words.append("at most \(Figures.decimal(rate, 1)) frames/s")
    }
    if constraints.preview != "unlimited" { words.append("preview \(constraints.preview)") }
    if constraints.uploads != "continue" { words.append("uploads \(constraints.uploads)") }
    if constraints.shots != "unlimited" {
      let spacing = constraints.spacingSeconds.map { " by \(Figures.decimal($0, 0)) s" } ?? ""
      words.append("presses \(constraints.shots)\(spacing)")
    }
    return words.joined(separator: ", ")
  }
}
