/// A key that a text has under its name of an earlier version.
package struct MovedKey: Sendable, Hashable {
  /// The place of the key, with its former path.
  package let place: ConfigurationPlace
  /// The present name of the key in the same section.
  package let name: String

  /// The former path in its parts.
  package var formerPath: [String] { place.key.split(separator: ".").map(String.init) }

  /// The warning, in the format of an issue.
  package var warning: ConfigurationIssue { place.issue("is read, and is called \"\(name)\" now") }
}
