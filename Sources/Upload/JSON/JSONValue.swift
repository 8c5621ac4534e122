/// A JSON value, RFC 8259, whose numbers keep the digits that they were written with.
enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  /// A number as it was written, in JSON's grammar.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The value as canonical text; the same value gives the same text.
  ///
  /// The text has no white space, and no escapes but those that JSON demands. Members are in the
  /// order of their names' UTF-8.
  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// The member of an object; `nil` for a missing member or another kind of value.
  subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The text of a string; `nil` for other kinds of values.
  var stringValue: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of a number that a `Double` can hold; `nil` for other values.
  var doubleValue: Double? {
    guard case .number(let text) = self, let value = Double(text), value.isFinite else {
      return nil
    }
    return value
  }

  /// The value of a Boolean; `nil` for other kinds of values.
  var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let digits): text += digits
    case .string(let string): Self.write(string, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      let names = members.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      for (index, name) in names.enumerated() {
        if index > 0 { text += "," }
        Self.write(name, to: &text)
        text += ":"
        members[name]?.write(to: &text)
      }
      text += "}"
    }
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
