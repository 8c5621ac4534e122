import Devices
package import LinuxDevices
package import Settings

/// A section of `indicators` or of `lamps`, or the wiring in the section `lamp`: a light.
package enum IndicatorSection: SettingsPart, Hashable {
  /// A kernel LED by name.
  case led(String)
  /// A GPIO line.
  case line(GPIOLineAddress, isActiveLow: Bool)

  /// Makes the light of a section without a wire, which is refused.
  package init() { self = .led("") }

  /// The keys of the wiring, which are read together.
  package static let settings: [Setting<IndicatorSection>] = [
    Setting(wiringKeys) { section, light in
      if let found = IndicatorSection.light(section) { light = found }
    }
  ]

  private static let wiringKeys: [ConfigurationKey] =
    [
      ConfigurationKey(
        "led", "text", "excludes line, chip and offset", default: "none",
        "the name of the kernel LED under /sys/class/leds")
    ] + GPIOLineAddress.keys + [
      ConfigurationKey(
        "active_low", "true or false", "with a line only", default: "false",
        "whether the light is lit when the line is low")
    ]

  private static func light(_ section: SettingsSection) -> IndicatorSection? {
    let led = section.value("led", SettingForm<String>.text("the name of a kernel LED"))
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
      let line = GPIOLineAddress(section)
      let isActiveLow = section.value("active_low", SettingForm<Bool>.boolean) ?? false
      return line.map { .line($0, isActiveLow: isActiveLow) }
    }
  }
}

/// The section `indicators`: the lights by their roles.
extension PlatenConfiguration {
  /// The setting of the section `indicators`.
  static let indicatorsSetting = Setting<PlatenConfiguration>.sections(
    "indicators", "LIGHT", range: "ready, fault, upload, power; or single alone", "the lights",
    partMeaning: "a light by its role"
  ) {
    (
      role: IndicatorRole, light: IndicatorSection, section: SettingsSection,
      root: inout PlatenConfiguration
    ) in
    // The role `single` is the last one.
    if role == .single, !root.indicators.isEmpty {
      section.note("is for rigs with one light; leave out the others", at: role.rawValue)
    }
    root.indicators[role] = light
  }
}
