package import Capture
package import Settings

/// The section `lamp`: the light for the pages.
package struct LampSection: SettingsPart, Hashable {
  /// The wiring of the lamp, in the same form as an indicator's.
  package var light = IndicatorSection()
  /// The times at which the lamp is lit.
  package var policy = LampPolicy()

  /// Makes the lamp of a section without a wire, which is refused.
  package init() {}

  /// The keys of the wiring and of the times.
  package static let settings: [Setting<LampSection>] =
    IndicatorSection.settings.map { $0.at(\LampSection.light) } + times

  private static let times: [Setting<LampSection>] = [
    Setting(
      \.policy.mode, "mode", .word,
      "the times at which the lamp is lit: while the session runs, or for each picture"),
    Setting(
      \.policy.leadTime, "lead_time", .duration(.zero...(.seconds(10))),
      "the time that the lamp is lit before an exposure counts"),
    Setting(
      \.policy.holdTime, "hold_time", .duration(.zero...(.seconds(60))), only: "with mode: shot",
      "the time that the lamp stays lit after the last picture"),
  ]

  /// Refuses a time that the mode does not have.
  package mutating func agree(in section: SettingsSection) {
    if section.has("hold_time"), policy.mode != .shot {
      section.note("goes with \"mode: shot\" only", at: "hold_time")
    }
  }
}

extension PlatenConfiguration {
  /// The setting of the section `lamp`.
  static let lampSetting = Setting<PlatenConfiguration>.section(
    \PlatenConfiguration.lamp, "lamp", "the light for the pages")
}
