import Devices

/// The section `indicators`: the lights by their roles.
///
/// The roles are `ready`, `fault`, `upload` and `power`, or `single` for a rig's only light. That
/// light shows the most important state.
///
/// | key | value | default |
/// |---|---|---|
/// | `led` | the name of a kernel LED under `/sys/class/leds` | |
/// | `line`, or `chip` and `offset` | a GPIO line instead of a kernel LED | |
/// | `active_low` | whether the light is lit when the line is low; only for a GPIO line | `false` |
package enum IndicatorSection: Sendable, Hashable {
  /// A kernel LED by name.
  case led(String)
  /// A GPIO line.
  case line(GPIOLineName, isActiveLow: Bool)

  init?(_ section: ConfigurationMapping) {
    let light = IndicatorSection.light(section)
    section.refuseUnknownKeys()
    guard let light else { return nil }
    self = light
  }

  /// Reads the wiring of a light, and leaves the section's other keys to the caller.
  static func light(_ section: ConfigurationMapping) -> IndicatorSection? {
    let led = section.text("led", expected: "the name of a kernel LED")
    let isLine = section.has("line") || section.has("chip") || section.has("offset")
    if section.has("led") {
      if isLine { section.note("excludes \"line\", \"chip\" and \"offset\"", at: "led") }
      if section.has("active_low") { section.note("is for GPIO lines only", at: "active_low") }
      guard let led, !isLine else { return nil }
      if led.contains("/") || led == "." || led == ".." {
        section.note("expected the name of a kernel LED, found a path", at: "led")
        return nil
      }
      return .led(led)
    } else {
      let line = GPIOLineName(section)
      let isActiveLow = section.boolean("active_low") ?? false
      guard let line else { return nil }
      return .line(line, isActiveLow: isActiveLow)
    }
  }

  static func read(_ section: ConfigurationMapping) -> [IndicatorRole: IndicatorSection] {
    var indicators: [IndicatorRole: IndicatorSection] = [:]
    for role in IndicatorRole.allCases {
      guard let light = section.section(role.rawValue) else { continue }
      indicators[role] = IndicatorSection(light)
    }
    section.refuseUnknownKeys()
    if indicators[.single] != nil, indicators.count > 1 {
      section.note("is for rigs with one light; leave out the others", at: "single")
    }
    return indicators
  }
}
