import API

extension ThermalReport {
  /// The state and the zones, then the firmware's flags or their problem, and the current limits.
  var texts: [String] {
    let zones = temperatures.map { zone in
      zone.celsius.map { "\(zone.zone) \(Figures.decimal($0, 1)) °C" }
        ?? "\(zone.zone) cannot be read"
    }
    var lines = [([state.rawValue] + zones).joined(separator: ", ")]
    if let firmware, !firmware.sinceBoot.isEmpty {
      let before = firmware.sinceBoot.filter { !firmware.now.contains($0) }
      let words = firmware.now.map(\.rawValue) + before.map { "\($0) before" }
      lines.append("firmware \(words.joined(separator: ", "))")
    }
    if let firmwareProblem { lines.append(firmwareProblem) }
    if let constraints { lines.append(constraints.text) }
    if isShuttingDown == true { lines.append("switching off") }
    return lines
  }
}

extension ThermalConstraintsReport {
  fileprivate var text: String {
    var words: [String] = []
    if let rate = maximumFrameRate {
      words.append("at most \(Figures.decimal(rate, 1)) frames/s")
    }
    if preview.value != .unlimited { words.append("preview \(preview)") }
    if uploads.value != .unlimited { words.append("uploads \(uploads)") }
    if shots.value != .unlimited {
      let spacing = spacingSeconds.map { " by \(Figures.decimal($0, 0)) s" } ?? ""
      words.append("presses \(shots)\(spacing)")
    }
    return words.joined(separator: ", ")
  }
}
