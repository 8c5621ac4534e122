/// Looks through a YAML text, before it is composed, for what a configuration needs nowhere and what
/// costs whoever composes it dear: anchors and aliases, and lists and sections in one another without
/// end.
///
/// An alias stands for all that its anchor holds, aliases of others among it, so that some hundred
/// characters can say more than any memory holds; and Yams calls itself once for each level. It shows
/// no aliases before it has put in place what they stand for, so they are looked for here.
///
/// Only where a token begins do `&` and `*` mean anything, so tokens are told apart exactly as
/// libyaml does in `scanner.c`, which Yams reads with: by quotes, comments, indentation, brackets and
/// by what can be a key. Where that fails, the look ends: nothing is composed from there on, and Yams
/// says why.
struct YAMLScan {
  /// What is refused, and where.
  struct Refusal: Error, Hashable {
    /// The line, from 1.
    let line: Int
    /// The column, from 1.
    let column: Int
    /// What is wrong.
    let problem: String
  }

  /// How many lists and sections may be in one another; a configuration has five.
  static let maximumDepth = 32

  /// The first thing in a text that is refused; `nil` for none.
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

  /// Why the look is over.
  private enum Ending: Error {
    /// The text ends, or libyaml reads no further.
    case end
    case refused(Refusal)
  }

  /// Where something stands that is a key if a colon follows.
  private struct Key {
    var index: Int
    var line: Int
    var column: Int
    /// Whether it can be nothing else there.
    var isRequired: Bool
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  /// From 0, as libyaml counts.
  private var column = 0
  /// How many brackets and braces are open.
  private var flowDepth = 0
  /// The columns of the lists and sections that are open by their indentation, the innermost last.
  private var indents: [Int] = []
  /// What may be a key outside of all brackets; within them keys change nothing here.
  private var key: Key?
  private var mayKeyBegin = true

  private var indent: Int { indents.last ?? -1 }

  private init(_ text: String) {
    // libyaml refuses a text with a NUL, and takes one for the end until it does.
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

  /// Whether a word ends before a place.
  private func isSpace(_ offset: Int = 0) -> Bool {
    guard let next = scalar(offset) else { return true }
    return Self.isBlank(next) || Self.isBreak(next)
  }

  /// Goes on by one character, of which a return and a line feed are one; there has to be one.
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
      // Only now is it known that a section has begun, where its first key did.
      try openBlock(found.line, found.column)
      key = nil
      mayKeyBegin = false
    } else {
      guard mayKeyBegin else { throw .end }
      try openBlock(line, column)
    }
    advance()
  }

  /// Skips a tag: `!word`, `!handle!word` or `!<word>`, where the last may have commas.
  private mutating func skipTag() {
    if scalar(1) == "<" {
      while !isSpace(), scalar() != ">" { advance() }
    }
    while !isSpace(), flowDepth == 0 || scalar() != "," { advance() }
  }

  // MARK: keys and blocks

  /// Notes that what begins here may be a key.
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

  /// A key is in one line with its colon, and not far before it.
  private mutating func forgetOldKey() throws(Ending) {
    guard let old = key, old.line < line || old.index + 1024 < index else { return }
    if old.isRequired { throw .end }
    key = nil
  }

  /// Opens a list or a section by its indentation, unless it is open already.
  private mutating func openBlock(_ line: Int, _ column: Int) throws(Ending) {
    guard indent < column else { return }
    indents.append(column)
    try refuseDepth(line, column)
  }

  /// Closes the lists and sections that are indented further than a column.
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
        // In single quotes two of them are one of the text.
        guard quote == "'", scalar() == quote else { return }
        advance()
      } else if next == "\\", quote == "\"", scalar() != nil {
        advance()
      }
    }
    throw .end
  }

  /// Skips a text without quotes, which goes on in the lines that are indented further.
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

  /// Whether a text without quotes ends at a character that is not blank.
  private func isEndOfPlain() throws(Ending) -> Bool {
    switch scalar() {
    case ":":
      if flowDepth > 0, let next = scalar(1), ",?[]{}".unicodeScalars.contains(next) { throw .end }
      return isSpace(1)
    case ",", "[", "]", "{", "}": return flowDepth > 0
    default: return false
    }
  }

  /// Skips a text after `|` or `>`, which has the lines below that are indented enough.
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

  /// The indentation that a character after `|` or `>` asks for, 0 for none; `nil` for a character
  /// that does not belong there.
  private static func blockIndicator(_ scalar: Unicode.Scalar) -> Int? {
    switch scalar {
    case "+", "-": 0
    case "0"..."9": Int(scalar.value) - 0x30
    default: nil
    }
  }

  /// Skips empty lines and the indentation of the next one.
  ///
  /// - Parameter margin: the indentation; 0 for one that the lines tell, which it is afterwards.
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
