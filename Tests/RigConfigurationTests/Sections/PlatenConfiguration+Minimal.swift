import RigConfiguration
import Settings

extension PlatenConfiguration {
  /// Reads a text behind the sections that every file must have.
  static func parse(afterMinimum text: String) throws(ConfigurationErrors) -> PlatenConfiguration {
    let minimum = "rig: { id: rig-1 }\nboard: linux\nspool: { directory: /var/lib/platen }\n"
    return try parse(minimum + text, file: "platen.yaml")
  }
}
