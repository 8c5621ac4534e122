package import Devices

/// The lookup of the meaning of a light's pattern.
extension IndicatorLanguage {
  /// Returns the row of the table for a pattern that a light shows.
  ///
  /// The single light of a rig shows every code. Its row names the reason, although ``table`` has
  /// one row for all of them.
  ///
  /// - Returns: the row; `nil` for a pattern that this language does not have for this light.
  package static func entry(of light: IndicatorRole, showing pattern: IndicatorPattern) -> Entry? {
    if pattern == armed { return table.first { $0.light == nil } }
    if light == .single, let entry = singleEntry(showing: pattern) { return entry }
    return table.first { $0.light == light && $0.pattern == pattern }
  }

  private static func singleEntry(showing pattern: IndicatorPattern) -> Entry? {
    for reason in InterruptionReason.allCases {
      let code = reason.facts.code
      let isInverse = code.inversePattern == pattern
      guard isInverse || code.pattern == pattern else { continue }
      return singleEntry(
        isInverse ? "readyWithFault" : "interrupted", for: reason.rawValue,
        isInverse ? "\(code) dark moments of a lit light" : "\(code) flashes",
        reason.facts.meaning, code, pattern)
    }
    for warning in PageWarning.allCases where warning.inversePattern == pattern {
      return singleEntry(
        "readyWithWarning", for: warning.rawValue, warning.shownMoments, warning.signalMeaning, nil,
        pattern)
    }
    return nil
  }

  /// Returns the row of a reason or a warning, in place of the general row for all of them.
  private static func singleEntry(
    _ general: String, for state: String, _ shown: String, _ meaning: String, _ code: BlinkCode?,
    _ pattern: IndicatorPattern
  ) -> Entry? {
    table.first { $0.light == .single && $0.state == general }.map {
      Entry(
        light: .single, color: $0.color, state: state, shown: shown, meaning: meaning, code: code,
        pattern: pattern)
    }
  }
}
