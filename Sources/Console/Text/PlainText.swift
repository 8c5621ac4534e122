/// A converter to text that cannot control a terminal.
package enum PlainText {
  /// Replaces everything that is not a visible character by its escape, for example `\u{1B}`.
  ///
  /// Escaped are the control characters C0 and C1, line and paragraph separators, and format
  /// characters, including those that change the writing direction. A backslash stays: the text is
  /// for people, and the ambiguity does no harm.
  package static func escaping(_ text: String) -> String {
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

  /// Returns the number of columns that a text takes on a terminal.
  ///
  /// Combining marks take none, East Asian wide characters and emoji take two, and all others take
  /// one.
  package static func columns(_ text: String) -> Int {
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

  /// Cuts a text to a number of columns; `…` in the last column marks a cut.
  package static func truncating(_ text: String, to limit: Int) -> String {
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

  /// Breaks a text into lines of at most `limit` columns, between words where possible.
  package static func wrapping(_ text: String, to limit: Int) -> [String] {
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

  /// Folds a long line to a number of columns, and keeps its indentation.
  package static func folding(_ line: String, to limit: Int) -> [String] {
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
