/// The YAML that describes a node.
extension SettingsNode.Entry {
  /// Makes an entry without places.
  package init(_ name: String, _ value: SettingsNode) {
    self.init(key: SettingsNode(.scalar(name, isPlain: true)), value: value)
  }

  /// The entry of an outermost section in YAML: lines in block style, each with its line feed.
  package var yaml: String { lines(0).map { $0 + "\n" }.joined() }

  fileprivate func lines(_ indentation: Int) -> [String] {
    value.lines(after: key.word + ":", indentation)
  }
}

extension SettingsNode {
  /// The value on one line; a plain value stays plain, because quotes would change its meaning.
  fileprivate var word: String {
    guard case .scalar(let text, let isPlain) = content else { return "" }
    return isPlain && !text.unicodeScalars.contains(where: Self.needsEscape)
      ? text : Self.quoted(text)
  }

  /// Returns the node's lines after a beginning such as `key:` or `-`.
  fileprivate func lines(after start: String, _ indentation: Int) -> [String] {
    let start = String(repeating: " ", count: indentation) + start
    switch content {
    case .scalar: return [word.isEmpty ? start : "\(start) \(word)"]
    case .list(let elements) where elements.isEmpty: return [start + " []"]
    case .section(let entries) where entries.isEmpty: return [start + " {}"]
    case .list(let elements):
      return [start] + elements.flatMap { $0.lines(after: "-", indentation + 2) }
    case .section(let entries):
      return [start] + entries.flatMap { $0.lines(indentation + 2) }
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if needsEscape(scalar) {
        let digits = String(scalar.value, radix: 16)
        result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      } else {
        if scalar == "\"" || scalar == "\\" { result += "\\" }
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns whether a character is not printable in YAML, or would end a line.
  private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .unassigned: true
    default: scalar.value == 0xFEFF
    }
  }
}
