/// Text that cannot control a terminal.
public enum PlainText {
  /// Replaces everything that is not a visible character by its escape, for example `\u{1B}`.
  ///
  /// These are the control characters C0 and C1, separators of lines and paragraphs, and format
  /// characters, among them those that turn the direction of writing. A backslash stays: what is
  /// shown is for people, who cannot be harmed by the ambiguity.
  public static func escaping(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
        .unassigned:
        result += escape(scalar)
      default:
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }
  }

  /// How many columns a text takes on a terminal: none for combining marks, two for East Asian
  /// wide characters and emoji, one for all others.
  public static func columns(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns($1) }
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  /// Cuts a text to a number of columns; what was cut is marked by `…` in the last one.
  public static func truncating(_ text: String, to limit: Int) -> String {
    guard columns(text) > limit else { return text }
    var result = ""
    var used = 0
    for scalar in text.unicodeScalars {
      let width = columns(scalar)
      guard used + width <= limit - 1 else { break }
      result.unicodeScalars.append(scalar)
      used += width
    }
    return limit > 0 ? result + "…" : ""
  }

  /// Breaks a text into lines of at most `limit` columns, between words where there are any.
  public static func wrapping(_ text: String, to limit: Int) -> [String] {
    let limit = max(2, limit)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, columns(line) + 1 + columns(String(word)) <= limit {
        line += " " + word
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = String(word)
      while columns(line) > limit {
        let head = takePrefix(of: &line, columns: limit)
        lines.append(head)
      }
    }
    return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
  }

  /// A line as a terminal of so many columns has room for it: in several where it is too long, each
  /// with its indent.
  public static func folding(_ line: String, to limit: Int) -> [String] {
    guard columns(line) > limit else { return [line] }
    let indent = String(line.prefix { $0 == " " }.prefix(limit / 2))
    return wrapping(line, to: limit - indent.count).map { indent + $0 }
  }

  private static func takePrefix(of text: inout String, columns limit: Int) -> String {
    var head = String.UnicodeScalarView()
    var used = 0
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first, used + columns(scalar) <= limit {
      head.append(scalar)
      used += columns(scalar)
      rest = rest.dropFirst()
    }
    text = String(String.UnicodeScalarView(rest))
    return String(head)
  }
}
