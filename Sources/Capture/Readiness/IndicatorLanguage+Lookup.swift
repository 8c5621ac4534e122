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
      let general = table.first {
        $0.light == .single && $0.state == (isInverse ? "readyWithFault" : "interrupted")
      }
      guard let general else { return nil }
      return Entry(
        light: .single, color: general.color, state: reason.rawValue,
        shown: isInverse ? "\(code) dark moments of a lit light" : "\(code) flashes",
        meaning: reason.facts.meaning, code: code, pattern: pattern)
    }
    return nil
  }
}
