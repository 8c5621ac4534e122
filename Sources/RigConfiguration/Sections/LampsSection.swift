import Capture
import Devices
import Settings

/// A lamp of brackets by its name.
package struct StepLamp: Sendable, Hashable {
  /// The name, 1 to 32 of `a-z 0-9 - _`.
  package var name: String
  /// The wiring.
  package var light: IndicatorSection
}

/// The section `lamps`: lamps at several sides of the page, for brackets of lamps.
extension PlatenConfiguration {
  /// The setting of the section `lamps`.
  static let lampsSetting = Setting<PlatenConfiguration>.named(
    "lamps", "NAME", name: .name(1...32, of: .lowercase), noun: "lamp", needsOne: true,
    "the lamps of brackets, each lit alone for one picture", partMeaning: "a lamp"
  ) {
    (
      name: String, light: IndicatorSection, _: SettingsSection, root: inout PlatenConfiguration
    ) in
    root.lamps.append(StepLamp(name: name, light: light))
  }

  /// Refuses a bracket of lamps that are not there, or that have the light of another one.
  func refuseUnknownLamps(_ root: SettingsSection) {
    guard image.bracket.kind == .lamp else { return }
    let unknown = image.bracket.lamps.filter { name in !lamps.contains { $0.name == name } }
    let section = root.section("image")
    if let name = unknown.first {
      section?.note("names the lamp \"\(name)\", which \"lamps\" does not have", at: "bracket")
    } else if lamp?.policy.mode == .session {
      section?.note(
        "needs \"lamp.mode: shot\", because the lamp stays lit while the session runs",
        at: "bracket")
    }
  }
}
