package import Capture
package import Settings

/// The section `hands_free`: pictures of pages without a press.
package struct HandsFreeSection: SettingsPart, Hashable {
  /// Whether a page that was turned gets its picture by itself.
  package var isEnabled = false
  /// The times of the detector of turned pages.
  package var policy = PageTurnPolicy()

  /// Makes the section of a rig that waits for presses.
  package init() {}

  /// The keys of the section.
  package static let settings: [Setting<HandsFreeSection>] = [
    Setting(
      \.isEnabled, "enabled", .boolean,
      "whether a page that was turned gets its picture by itself"),
    Setting(
      \.policy.stillTime, "still_time", .duration(.milliseconds(300)...(.seconds(10))),
      "the time for which nothing may have moved, before the countdown"),
    Setting(
      \.policy.countdown, "countdown", .integer(0...10, unit: "s"),
      "the seconds that the lights and the page count down before the picture, 0 for none"),
  ]
}
