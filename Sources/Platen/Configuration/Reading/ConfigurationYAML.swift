import Yams

/// Composes the YAML of a configuration, or of a value for one.
enum ConfigurationYAML {
  /// The node that a text describes; `nil` for a text without one.
  ///
  /// It takes time and memory in proportion to the text's length, whoever wrote it.
  ///
  /// - Throws: ``YAMLScan/Refusal``, or what Yams throws for a text that is no YAML.
  static func compose(_ text: String) throws -> Node? {
    if let refusal = YAMLScan.refusal(of: text) { throw refusal }
    // Without rules every word is a text, as it is to the reader: with them each key would be held
    // against regular expressions, and the key 1 would be another one than "1".
    return try Yams.compose(yaml: text, .basic)
  }
}
