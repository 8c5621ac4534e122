/// A scan of a YAML text for constructs that are costly to compose and not needed.
///
/// These constructs are anchors and aliases, and lists and sections that are nested too deeply.
///
/// An alias stands for its anchor's whole contents, including further aliases. Some hundred
/// characters can therefore describe more than any memory holds. Yams calls itself once for each
/// level. Yams shows no aliases before it has replaced them, so the scan looks for them here.
///
/// The characters `&` and `*` have a meaning only at the start of a token. The scan therefore
/// separates tokens exactly as `scanner.c` of libyaml does, which Yams uses. Quotes, comments,
/// indentation, brackets and possible keys decide. Where that fails, the scan ends: Yams composes
/// nothing from there on and reports the reason.
struct YAMLScan {
  /// The refused construct and its place.
  struct Refusal: Error, Hashable {
    /// The line, from 1.
    let line: Int
    /// The column, from 1.
    let column: Int
    /// The problem.
    let problem: String
  }

  /// The maximum nesting of lists and sections; a configuration has five levels.
  static let maximumDepth = 32

  /// Returns the first refusal in a text; `nil` for none.
  static func refusal(of text: String) -> Refusal? {
    var scan = YAMLScan(text)
    do throws(Ending) {
      while true { try scan.skipToken() }
    } catch {
      switch error {
      case .end: return nil
      case .refused(let refusal): return refusal
      }
    }
  }

  /// The reasons for the end of the scan.
  private enum Ending: Error {
    /// The text ends, or libyaml reads no further.
    case end
    case refused(Refusal)
  }

  /// The place of a token that is a key if a colon follows.
  private struct Key {
    var index: Int
    var line: Int
    var column: Int
    /// Whether the token can only be a key there.
    var isRequired: Bool
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  /// The column from 0, as libyaml counts.
  private var column = 0
  /// The number of open brackets and braces.
  private var flowDepth = 0
  /// The columns of the lists and sections that indentation has opened, the innermost last.
  private var indents: [Int] = []
  /// The possible key outside all brackets; within brackets, keys are irrelevant here.
  private var key: Key?
  private var mayKeyBegin = true

  private var indent: Int { indents.last ?? -1 }

  private init(_ text: String) {
    // libyaml refuses a text with a NUL, and until then takes the NUL for the end.
    scalars = Array(text.unicodeScalars.prefix { $0 != "\0" })
  }

  // MARK: characters

  private func scalar(_ offset: Int = 0) -> Unicode.Scalar? {
    scalars.indices.contains(index + offset) ? scalars[index + offset] : nil
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  /// Returns whether a word ends before a place.
  private func isSpace(_ offset: Int = 0) -> Bool {
    guard let next = scalar(offset) else { return true }
    return Self.isBlank(next) || Self.isBreak(next)
  }

  /// Advances by one character, which must exist; a return and a line feed count as one.
  private mutating func advance() {
    let passed = scalars[index]
    index += 1
    column += 1
    guard Self.isBreak(passed) else { return }
    if passed == "\r", scalar() == "\n" { index += 1 }
    line += 1
    column = 0
  }

  private mutating func skipRestOfLine() {
    while let next = scalar(), !Self.isBreak(next) { advance() }
  }

  private mutating func skipBlanks() {
    while let next = scalar(), Self.isBlank(next) { advance() }
  }

  /// Whether `---` or `...` begins or ends a document here.
  private var isAtDocumentMark: Bool {
    guard column == 0, let first = scalar(), first == "-" || first == "." else { return false }
    return scalar(1) == first && scalar(2) == first && isSpace(3)
  }

  // MARK: tokens

  private mutating func skipToken() throws(Ending) {
    skipToNextToken()
    guard let first = scalar() else { throw .end }
    try forgetOldKey()
    closeBlocks(to: column)
    if column == 0, first == "%" { return try skipDirective() }
    if isAtDocumentMark { return try skipDocumentMark() }
    switch first {
    case "[", "{":
      try noteKey()
      flowDepth += 1
      try refuseDepth(line, column)
      mayKeyBegin = true
      advance()
    case "]", "}":
      try forgetKey()
      flowDepth = max(0, flowDepth - 1)
      mayKeyBegin = false
      advance()
    case ",":
      try forgetKey()
      mayKeyBegin = true
      advance()
    case "-" where isSpace(1): try skipIndicator()
    case "?" where flowDepth > 0 || isSpace(1): try skipIndicator()
    case ":" where flowDepth > 0 || isSpace(1): try skipColon()
    case "&", "*":
      throw .refused(
        Refusal(
          line: line, column: column + 1,
          problem: "anchors and aliases are not used in this configuration; a text that begins "
            + "with & or * needs quotes"))
    case "!":
      try noteKey()
      mayKeyBegin = false
      skipTag()
    case "|" where flowDepth == 0, ">" where flowDepth == 0: try skipBlockText()
    case "'", "\"":
      try noteKey()
      mayKeyBegin = false
      try skipQuoted(first)
    case "|", ">", "%", "@", "`", "\t": throw .end
    default:
      try noteKey()
      mayKeyBegin = false
      try skipPlain()
    }
  }

  /// Skips blanks, comments and line breaks.
  private mutating func skipToNextToken() {
    while let next = scalar() {
      switch next {
      case " ": advance()
      case "\u{FEFF}" where column == 0: advance()
      case "\t" where flowDepth > 0 || !mayKeyBegin: advance()
      case "#": skipRestOfLine()
      default:
        guard Self.isBreak(next) else { return }
        advance()
        if flowDepth == 0 { mayKeyBegin = true }
      }
    }
  }

  private mutating func skipDirective() throws(Ending) {
    closeBlocks(to: -1)
    try forgetKey()
    mayKeyBegin = false
    skipRestOfLine()
    if scalar() != nil { advance() }
  }

  private mutating func skipDocumentMark() throws(Ending) {
    closeBlocks(to: -1)
    try forgetKey()
    mayKeyBegin = false
    for _ in 0..<3 { advance() }
  }

  /// Skips the `-` of a list's element, or a `?` before a key.
  private mutating func skipIndicator() throws(Ending) {
    if flowDepth == 0 {
      guard mayKeyBegin else { throw .end }
      try openBlock(line, column)
    }
    try forgetKey()
    mayKeyBegin = true
    advance()
  }

  private mutating func skipColon() throws(Ending) {
    if flowDepth > 0 {
      mayKeyBegin = false
    } else if let found = key {
      // The colon shows that a section has begun at its first key.
      try openBlock(found.line, found.column)
      key = nil
      mayKeyBegin = false
    } else {
      guard mayKeyBegin else { throw .end }
      try openBlock(line, column)
    }
    advance()
  }

  /// Skips a tag: `!word`, `!handle!word` or `!<word>`; the last form may contain commas.
  private mutating func skipTag() {
    if scalar(1) == "<" {
      while !isSpace(), scalar() != ">" { advance() }
    }
    while !isSpace(), flowDepth == 0 || scalar() != "," { advance() }
  }

  // MARK: keys and blocks

  /// Notes that a key may begin here.
  private mutating func noteKey() throws(Ending) {
    guard flowDepth == 0, mayKeyBegin else { return }
    try forgetKey()
    key = Key(index: index, line: line, column: column, isRequired: indent == column)
  }

  private mutating func forgetKey() throws(Ending) {
    guard flowDepth == 0, let forgotten = key else { return }
    if forgotten.isRequired { throw .end }
    key = nil
  }

  /// Forgets a key that is not in one line with its colon or is too far before it.
  private mutating func forgetOldKey() throws(Ending) {
    guard let old = key, old.line < line || old.index + 1024 < index else { return }
    if old.isRequired { throw .end }
    key = nil
  }

  /// Opens a list or a section by its indentation, unless it is already open.
  private mutating func openBlock(_ line: Int, _ column: Int) throws(Ending) {
    guard indent < column else { return }
    indents.append(column)
    try refuseDepth(line, column)
  }

  /// Closes the lists and sections with more indentation than a column.
  private mutating func closeBlocks(to column: Int) {
    guard flowDepth == 0 else { return }
    while indent > column { indents.removeLast() }
  }

  private func refuseDepth(_ line: Int, _ column: Int) throws(Ending) {
    guard indents.count + flowDepth > Self.maximumDepth else { return }
    throw .refused(
      Refusal(
        line: line, column: column + 1,
        problem: "more than \(Self.maximumDepth) lists and sections are in one another"))
  }

  // MARK: texts

  /// Skips a text in quotes.
  private mutating func skipQuoted(_ quote: Unicode.Scalar) throws(Ending) {
    advance()
    while let next = scalar() {
      if isAtDocumentMark { throw .end }
      advance()
      if next == quote {
        // In single quotes, two quotes stand for one.
        guard quote == "'", scalar() == quote else { return }
        advance()
      } else if next == "\\", quote == "\"", scalar() != nil {
        advance()
      }
    }
    throw .end
  }

  /// Skips a text without quotes, including its further indented continuation lines.
  private mutating func skipPlain() throws(Ending) {
    let least = indent + 1
    var isAfterBreak = false
    while !isAtDocumentMark, scalar() != "#" {
      while !isSpace(), try !isEndOfPlain() {
        isAfterBreak = false
        advance()
      }
      guard scalar() != nil, isSpace() else { break }
      while let next = scalar(), isSpace() {
        if Self.isBreak(next) {
          isAfterBreak = true
        } else if next == "\t", isAfterBreak, column < least {
          throw .end
        }
        advance()
      }
      if flowDepth == 0, column < least { break }
    }
    if isAfterBreak { mayKeyBegin = true }
  }

  /// Returns whether a text without quotes ends at a character that is not blank.
  private func isEndOfPlain() throws(Ending) -> Bool {
    switch scalar() {
    case ":":
      if flowDepth > 0, let next = scalar(1), ",?[]{}".unicodeScalars.contains(next) { throw .end }
      return isSpace(1)
    case ",", "[", "]", "{", "}": return flowDepth > 0
    default: return false
    }
  }

  /// Skips a text after `|` or `>`, which consists of the sufficiently indented lines below.
  private mutating func skipBlockText() throws(Ending) {
    try forgetKey()
    mayKeyBegin = true
    advance()
    var given = 0
    while let next = scalar(), let digit = Self.blockIndicator(next) {
      given = max(given, digit)
      advance()
    }
    skipBlanks()
    if scalar() == "#" { skipRestOfLine() }
    guard isSpace() else { throw .end }
    if scalar() != nil { advance() }
    var margin = given == 0 ? 0 : max(0, indent) + given
    try skipMargin(&margin)
    while column == margin, scalar() != nil {
      skipRestOfLine()
      if scalar() != nil { advance() }
      try skipMargin(&margin)
    }
  }

  /// Returns the indentation that a character after `|` or `>` requests; 0 for none.
  ///
  /// The result is `nil` for a character that is not allowed there.
  private static func blockIndicator(_ scalar: Unicode.Scalar) -> Int? {
    switch scalar {
    case "+", "-": 0
    case "0"..."9": Int(scalar.value) - 0x30
    default: nil
    }
  }

  /// Skips empty lines and the indentation of the next one.
  ///
  /// - Parameter margin: the indentation; 0 is replaced by the indentation of the lines.
  private mutating func skipMargin(_ margin: inout Int) throws(Ending) {
    var widest = 0
    while true {
      while scalar() == " ", margin == 0 || column < margin { advance() }
      widest = max(widest, column)
      guard let next = scalar() else { break }
      if next == "\t", margin == 0 || column < margin { throw .end }
      guard Self.isBreak(next) else { break }
      advance()
    }
    if margin == 0 { margin = max(widest, indent + 1, 1) }
  }
}
