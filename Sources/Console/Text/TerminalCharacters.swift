/// Which characters a terminal is taken to know.
///
/// A terminal that does not know UTF-8 takes the bytes 80 to 9F, which UTF-8 is full of, for control
/// characters: 9B is there what `ESC [` is elsewhere.
public enum TerminalCharacters: Sendable, Hashable {
  /// All of Unicode, as UTF-8.
  case unicode
  /// Those of ASCII alone.
  case ascii

  /// What the environment says: the first of LC_ALL, LC_CTYPE and LANG that is set and not empty, as
  /// `setlocale(3)` has it; ASCII when that does not name UTF-8, or there is none.
  public static func of(environment: [String: String]) -> TerminalCharacters {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
    let name = names.first { !$0.isEmpty } ?? ""
    return name.lowercased().filter { $0 != "-" }.contains("utf8") ? .unicode : .ascii
  }

  /// A line without control characters as the terminal can show it, in several where only that has
  /// made it too long.
  public func lines(_ line: String, columns: Int) -> [String] {
    let escaped = PlainText.escaping(line)
    let text = plain(escaped)
    return PlainText.columns(text) > PlainText.columns(escaped)
      ? PlainText.folding(text, to: columns) : [text]
  }

  /// A text in characters that the terminal knows; those of ASCII stay, control characters, too.
  ///
  /// What takes more columns so takes them from the spaces behind it, as long as one of a row of them
  /// is left: the columns of a table stay where they are.
  public func plain(_ text: String) -> String {
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

  /// What is drawn, in characters that the terminal knows.
  func plain(_ bytes: [UInt8]) -> [UInt8] {
    guard self == .ascii, bytes.contains(where: { $0 >= 0x80 }) else { return bytes }
    return Array(plain(String(decoding: bytes, as: UTF8.self)).utf8)
  }

  /// JSON in characters that the terminal knows; it stays the same JSON.
  public func json(_ text: String) -> String {
    guard self == .ascii else { return text }
    // Only within strings there are others than those of ASCII.
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
