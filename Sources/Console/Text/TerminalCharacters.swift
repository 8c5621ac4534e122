/// The characters that a terminal is assumed to know.
///
/// A terminal without UTF-8 treats the bytes 80 to 9F, which are common in UTF-8, as control
/// characters. The byte 9B, for example, means `ESC [` there.
package enum TerminalCharacters: Sendable, Hashable {
  /// The terminal knows all of Unicode, as UTF-8.
  case unicode
  /// The terminal knows only ASCII.
  case ascii

  /// Returns the characters that the environment names.
  ///
  /// The first of LC_ALL, LC_CTYPE and LANG that is set and not empty counts, as in `setlocale(3)`.
  /// The result is ASCII if the variable does not name UTF-8, or if there is none.
  package static func of(environment: [String: String]) -> TerminalCharacters {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
    let name = names.first { !$0.isEmpty } ?? ""
    return name.lowercased().filter { $0 != "-" }.contains("utf8") ? .unicode : .ascii
  }

  /// Returns a line without control characters as the terminal can show it.
  ///
  /// A line that only the replacements make too long is folded.
  package func lines(_ line: String, columns: Int) -> [String] {
    let escaped = PlainText.escaping(line)
    let text = plain(escaped)
    return PlainText.columns(text) > PlainText.columns(escaped)
      ? PlainText.folding(text, to: columns) : [text]
  }

  /// Replaces characters that the terminal does not know; ASCII stays, even control characters.
  ///
  /// A replacement wider than its character consumes following spaces but leaves at least one. The
  /// columns of a table therefore keep their places.
  package func plain(_ text: String) -> String {
    guard self == .ascii, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    var result = ""
    var debt = 0
    var spaces = 0
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      if scalar == " " {
        spaces += 1
        if debt > 0, spaces > 1 { debt -= 1 } else { result += " " }
        continue
      }
      let isAfterSpace = spaces > 0 || index == 0
      spaces = 0
      guard !scalar.isASCII else {
        if scalar == "\n" { debt = 0 }
        result.unicodeScalars.append(scalar)
        continue
      }
      let next = index + 1 < scalars.count ? scalars[index + 1] : " "
      let replacement = Self.replacement(scalar, isAfterSpace: isAfterSpace, next: next)
      debt += replacement.utf8.count - PlainText.columns(String(scalar))
      result += replacement
    }
    return result
  }

  /// Replaces characters in a drawing that the terminal does not know.
  func plain(_ bytes: [UInt8]) -> [UInt8] {
    guard self == .ascii, bytes.contains(where: { $0 >= 0x80 }) else { return bytes }
    return Array(plain(String(decoding: bytes, as: UTF8.self)).utf8)
  }

  /// Returns equivalent JSON with only characters that the terminal knows.
  package func json(_ text: String) -> String {
    guard self == .ascii else { return text }
    // Only strings in JSON contain non-ASCII characters.
    return text.utf16.reduce(into: "") { result, unit in
      if unit < 0x80 {
        result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      } else {
        let digits = String(unit, radix: 16, uppercase: true)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
  }

  private static func replacement(
    _ scalar: Unicode.Scalar, isAfterSpace: Bool, next: Unicode.Scalar
  ) -> String {
    switch scalar {
    case "…": "~"
    case "×": "x"
    case "²": "2"
    case "°": (isAfterSpace ? "deg" : " deg") + (next.properties.isAlphabetic ? " " : "")
    default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }
  }
}
