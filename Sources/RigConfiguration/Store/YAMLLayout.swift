import Settings

/// The places in a YAML text, counted in Unicode scalars.
struct YAMLLayout {
  /// A region and its replacement.
  struct Edit: Hashable {
    var range: Range<Int>
    var text: String
  }

  private let scalars: [Unicode.Scalar]
  /// The start of each line.
  private let lines: [Int]

  init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    self.scalars = scalars
    lines = [0] + scalars.indices.filter { scalars[$0] == "\n" }.map { $0 + 1 }
  }

  /// Returns the text after an edit.
  func replacing(_ edit: Edit) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[..<edit.range.lowerBound])
    view.append(contentsOf: edit.text.unicodeScalars)
    view.append(contentsOf: scalars[edit.range.upperBound...])
    return String(view)
  }

  /// Returns the offset of a place; `nil` for a place outside the text.
  func offset(_ place: SettingsNode.Place?) -> Int? {
    guard let place, lines.indices.contains(place.line - 1), place.column >= 1 else { return nil }
    let offset = lines[place.line - 1] + place.column - 1
    return offset <= scalars.count ? offset : nil
  }

  /// Returns the scalar at a place; `nil` at the end.
  func scalar(at offset: Int) -> Unicode.Scalar? {
    scalars.indices.contains(offset) ? scalars[offset] : nil
  }

  /// Returns whether a text stands at a place.
  func has(_ text: String, at offset: Int) -> Bool {
    !text.isEmpty && scalars[min(offset, scalars.count)...].starts(with: text.unicodeScalars)
  }

  /// Returns the end of a text in quotes, brackets or braces; `nil` when the end is missing.
  ///
  /// A text that begins otherwise has no such end.
  func endOfDelimited(at start: Int) -> Int? {
    switch scalar(at: start) {
    case "\"", "'": return endOfQuoted(at: start)
    case "{", "[": break
    default: return nil
    }
    var depth = 0
    var index = start
    while index < scalars.count {
      switch scalars[index] {
      case "{", "[": depth += 1
      case "}", "]":
        depth -= 1
        if depth == 0 { return index + 1 }
      case "\"", "'":
        // A quote in the middle of a plain word is an ordinary character.
        if isBoundary(index - 1) {
          guard let end = endOfQuoted(at: index) else { return nil }
          index = end - 1
        }
      case "#" where isBoundary(index - 1):
        while index < scalars.count, scalars[index] != "\n" { index += 1 }
      default: break
      }
      index += 1
    }
    return nil
  }

  private func isBoundary(_ index: Int) -> Bool {
    guard let scalar = scalar(at: index) else { return true }
    return " \t\r\n{[,:".unicodeScalars.contains(scalar)
  }

  private func endOfQuoted(at start: Int) -> Int? {
    let quote = scalars[start]
    var index = start + 1
    while index < scalars.count {
      if quote == "\"", scalars[index] == "\\" {
        index += 1
      } else if scalars[index] == quote {
        guard quote == "'", scalar(at: index + 1) == quote else { return index + 1 }
        index += 1
      }
      index += 1
    }
    return nil
  }

  /// Returns the end of the content before a place, without trailing space.
  func endOfContent(before end: Int) -> Int {
    var index = end
    while index > 0, " \t\r\n".unicodeScalars.contains(scalars[index - 1]) { index -= 1 }
    return index
  }

  /// Returns the start of the line that contains a place; the end of the text for `nil`.
  func startOfLine(before place: Int?) -> Int {
    guard let place else { return scalars.count }
    return lines.last { $0 <= place } ?? 0
  }

  /// Returns the insertion of a new line after a line and its continuation lines.
  ///
  /// - Parameters:
  ///   - line: the line's number, from 1.
  ///   - indentation: the number of spaces before the text.
  func newLine(_ text: String, after line: Int, indentation: Int) -> Edit {
    var next = line
    while next < lines.count, goesOn(next, indentation) { next += 1 }
    let ending = scalars.indices.contains { scalars[$0] == "\r" } ? "\r\n" : "\n"
    let content = String(repeating: " ", count: indentation) + text
    guard next < lines.count else {
      let isTerminated = scalars.last == "\n" || scalars.isEmpty
      return Edit(
        range: scalars.count..<scalars.count,
        text: (isTerminated ? "" : ending) + content + ending)
    }
    return Edit(range: lines[next]..<lines[next], text: content + ending)
  }

  /// Returns whether a line continues the one above: it is further indented, or closes a bracket.
  private func goesOn(_ line: Int, _ indentation: Int) -> Bool {
    let start = lines[line]
    var index = start
    while scalar(at: index) == " " { index += 1 }
    guard let first = scalar(at: index), first != "\n", first != "\r" else { return false }
    return index - start > indentation || first == "}" || first == "]"
  }
}
