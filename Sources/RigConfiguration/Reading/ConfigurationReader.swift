import Settings

/// A reader of a configuration text, which collects all errors.
///
/// The reader is not a `Codable` decoder, because a decoder stops at the first error and forgets
/// the lines.
enum ConfigurationReader {
  /// The maximum length of a file in bytes.
  static let maximumBytes = 1 << 20

  /// Returns the outermost section of a text; notes an issue and returns `nil` when there is none.
  static func root(of text: String, _ issues: SettingsIssues) -> SettingsSection? {
    guard let node = node(of: text, issues) else { return nil }
    let root = issues.section(of: node, key: "")
    issues.isConfiguration = root?.keys.contains("rig") == true
    return root
  }

  /// Returns the node that a text describes; notes issues and returns `nil` when there is none.
  static func node(of text: String, _ issues: SettingsIssues) -> SettingsNode? {
    guard text.utf8.count <= maximumBytes else {
      issues.note("the file is longer than \(maximumBytes) bytes", at: nil, key: "")
      return nil
    }
    do throws(YAMLRefusals) {
      guard let node = try ConfigurationYAML.compose(text) else {
        issues.note(
          "the file is empty; expected at least the section \"rig\"", at: nil, key: "",
          isOwnWords: true)
        return nil
      }
      return node
    } catch {
      for refusal in error.all {
        issues.note(
          (refusal.isYAML ? "" : "the file is no YAML: ") + refusal.problem, at: refusal.place,
          key: refusal.key)
      }
      return nil
    }
  }
}
