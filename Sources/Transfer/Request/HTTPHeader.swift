import Devices

/// A field of a request's or response's head.
package struct HTTPHeader: Sendable, Hashable {
  /// The field's name, which is not case-sensitive.
  package var name: String
  /// The field's value without surrounding white space.
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Whether the field can be sent: its name is a token, and its value has no control characters.
  ///
  /// The sources are RFC 9110 §5.1 and §5.5. A line break in a value would start another, injected
  /// field.
  var isWellFormed: Bool {
    !name.isEmpty && name.utf8.allSatisfy(Self.isTokenByte)
      && value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }

  /// Returns whether a byte may be part of a field's name or of a method.
  static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// Parses a line `name: value` of a head; `nil` for any other line.
  init?(line: some Collection<UInt8>) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex else {
      return nil
    }
    name = String(decoding: line[..<colon], as: UTF8.self)
    value = Self.trimmed(line[line.index(after: colon)...])
  }

  private static func trimmed(_ bytes: some Collection<UInt8>) -> String {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    let text = Array(bytes.drop(while: isSpace))
    let end = text.lastIndex(where: { !isSpace($0) }).map { $0 + 1 } ?? 0
    return String(decoding: text[..<end], as: UTF8.self)
  }
}
