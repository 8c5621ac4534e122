import Yams

/// The composer of the YAML of a configuration, or of a value for one.
enum ConfigurationYAML {
  /// Returns the node that a text describes; `nil` for a text without one.
  ///
  /// For any text, the call takes time and memory in proportion to the text's length.
  ///
  /// - Throws: ``YAMLScan/Refusal``, or Yams's error for a text that is not YAML.
  static func compose(_ text: String) throws -> Node? {
    if let refusal = YAMLScan.refusal(of: text) { throw refusal }
    // Without rules, every word is a text, which is what the reader expects. With rules, Yams would
    // match each key against regular expressions, and the key 1 would differ from "1".
    return try Yams.compose(yaml: text, .basic)
  }
}
