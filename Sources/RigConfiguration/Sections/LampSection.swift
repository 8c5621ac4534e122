package import Capture
package import Devices
package import Settings

/// The section `lamp`: the light for the pages.
package struct LampSection: SettingsPart, Hashable {
  /// The wiring of the lamp, in the same form as an indicator's.
  package var light = IndicatorSection()
  /// The times at which the lamp is lit.
  package var policy = LampPolicy()
  /// The flash mode of presses that do not set one; only with ``LampPolicy/Mode/shot``.
  package var flash = FlashMode.on

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
    Setting(
      \.flash, "flash", .word, only: "with mode: shot",
      "the pictures in the lamp's light: none, all, or those that are too dark without it"),
    Setting(
      \.policy.autoFrom, "auto_from", .duration(.milliseconds(1)...(.seconds(10))),
      only: "with mode: shot",
      "the exposure at ISO 100 from which a picture with the flash auto has the lamp's light"),
  ]

  /// Refuses a time that the mode does not have.
  package mutating func agree(in section: SettingsSection) {
    for key in ["hold_time", "flash", "auto_from"] where section.has(key) && policy.mode != .shot {
      section.note("goes with \"mode: shot\" only", at: key)
    }
  }
}

extension PlatenConfiguration {
  /// The setting of the section `lamp`.
  static let lampSetting = Setting<PlatenConfiguration>.section(
    \PlatenConfiguration.lamp, "lamp", "the light for the pages")
}
