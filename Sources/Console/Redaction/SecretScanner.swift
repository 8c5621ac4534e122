/// A scanner for the secrets of a line; each pass is linear in the line's length.
struct SecretScanner {
  /// The line as redacted so far.
  var line: [UInt8]
  /// Whether the value under a secret's name continues in the lines below.
  private(set) var opensBlock = false
  /// Whether a private key begins in the line but does not end there.
  private(set) var opensKey = false

  init(_ line: [UInt8]) {
    self.line = line
  }

  /// Returns the line without its secrets.
  mutating func redacted() -> [UInt8] {
    hideKeys()
    hideNamed()
    hideAddresses()
    hideForms()
    return line
  }

  // MARK: private keys

  /// Hides private keys in PEM, also with line feeds spelled `\n`.
  private mutating func hideKeys() {
    let (begin, end) = (Array("-----BEGIN ".utf8), Array("-----END ".utf8))
    var start = line.startIndex
    while let found = line[start...].firstRange(of: begin) {
      let label = line[found.upperBound...].prefix { $0 != UInt8(ascii: "-") }
      start = found.upperBound
      let name = String(decoding: label, as: UTF8.self)
      if ["CERTIFICATE", "PUBLIC KEY", "PLATEN SUPPORT BUNDLE"].contains(name) { continue }
      let tail = line[start...].firstRange(of: end).flatMap { range in
        line[range.upperBound...].firstRange(of: Array("-----".utf8))
      }
      opensKey = tail == nil
      line.replaceSubrange(
        found.lowerBound..<(tail?.upperBound ?? line.endIndex), with: Redaction.mark.utf8)
      start = found.lowerBound + Redaction.mark.utf8.count
    }
  }

  // MARK: names and their values

  /// Hides the values under the names of secrets.
  ///
  /// The forms are `name: value`, `name=value`, `--name value` and `Bearer value`. In a sentence
  /// the form is `password value`, if the value has a digit.
  private mutating func hideNamed() {
    var result: [UInt8] = []
    result.reserveCapacity(line.count)
    var index = 0
    while index < line.count {
      guard SecretWords.isWordByte(line[index]) else {
        result.append(line[index])
        index += 1
        continue
      }
      var end = index
      while end < line.count, SecretWords.isWordByte(line[end]) { end += 1 }
      let word = line[index..<end]
      result += word
      index = end
      guard let value = value(after: end, named: word) else { continue }
      result += line[end..<value.lowerBound]
      if !value.isEmpty { result += Redaction.mark.utf8 }
      index = value.upperBound
    }
    line = result
  }

  /// Returns the range of a name's value; `nil` if the value is not secret.
  private mutating func value(after end: Int, named word: ArraySlice<UInt8>) -> Range<Int>? {
    let name = String(decoding: word, as: UTF8.self)
    let isOption = name.hasPrefix("-")
    if name == "-u" || name == "--user" {
      let value = self.word(from: skipSpaces(end))
      return value.lowerBound > end && line[value].contains(UInt8(ascii: ":")) ? value : nil
    }
    guard SecretWords.holdsSecret(name) || name == "Basic" || name == "basic" else { return nil }
    var index = end
    // The index skips the quotes around the name itself, even escaped ones.
    while index < line.count, Self.isQuote(line[index]) || line[index] == UInt8(ascii: "\\") {
      index += 1
    }
    index = skipSpaces(index)
    guard index < line.count else { return nil }
    let separator = line[index]
    guard separator == UInt8(ascii: "=") || separator == UInt8(ascii: ":") else {
      return spokenValue(after: end, name: name, isOption: isOption)
    }
    index += 1
    if name == "credential", separator == UInt8(ascii: ":"), let reference = reference(at: index) {
      return reference
    }
    // The operators "=>", ":=" and "==" occur in other notations.
    while index < line.count, line[index] == UInt8(ascii: ">") || line[index] == separator {
      index += 1
    }
    index = skipSpaces(index)
    let rest = String(decoding: line[index...].prefix(4), as: UTF8.self)
    let first = rest.first
    if first == nil || first == "|" || first == ">" || first == "\r" || first == "#" {
      // In YAML the value follows in the lines below, and perhaps partly on this line.
      opensBlock = true
      return index..<line.count
    }
    if isLiteral(at: index) { return nil }
    let value = self.word(from: index)
    let text = String(decoding: line[value], as: UTF8.self)
    if SecretWords.isReference(text, under: name) { return value.upperBound..<value.upperBound }
    if let quoted = quotedValue(at: index, name: name) { return quoted }
    if first == "{" || first == "[" || first == "&" || first == "!" { opensBlock = true }
    return index..<line.count
  }

  /// Returns a value in a sentence: after `Bearer`, after an option, or a word with a digit.
  private func spokenValue(after end: Int, name: String, isOption: Bool) -> Range<Int>? {
    var start = skipSpaces(end)
    guard start > end, start < line.count else { return nil }
    var value = word(from: start)
    let text = String(decoding: line[value], as: UTF8.self)
    if text == "is" || text == "was" {
      start = skipSpaces(value.upperBound)
      value = word(from: start)
    }
    guard !value.isEmpty else { return nil }
    if isOption { return SecretWords.isReference(text, under: name) ? nil : value }
    let isScheme = ["bearer", "basic"].contains(name.lowercased())
    let hasDigit = line[value].contains {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    if isScheme {
      let isForm =
        hasDigit || line[value].last == UInt8(ascii: "=") || name.lowercased() == "bearer"
      return value.count >= 6 && isForm ? value : nil
    }
    // A path in a sentence counts as a reference.
    return hasDigit && !text.hasPrefix("/") ? value : nil
  }

  /// Returns the inside of a quoted value.
  ///
  /// The result is `nil` if the value is not quoted, or if text that may belong to the value
  /// follows the quotes.
  private func quotedValue(at index: Int, name: String) -> Range<Int>? {
    var start = index
    var escapes = 0
    while start < line.count, line[start] == UInt8(ascii: "\\") {
      escapes += 1
      start += 1
    }
    guard start < line.count, Self.isQuote(line[start]) else { return nil }
    let quote = line[start]
    start += 1
    var end = start
    var backslashes = 0
    while end < line.count {
      if line[end] == quote, quote == UInt8(ascii: "'") || backslashes == escapes { break }
      backslashes = line[end] == UInt8(ascii: "\\") ? backslashes + 1 : 0
      // Two backslashes stand for one in the text, which escapes nothing.
      if escapes == 0, backslashes == 2 { backslashes = 0 }
      end += 1
    }
    guard end < line.count else { return nil }
    // A value that is only quotes has no room for the escape before the second one.
    let value = start..<max(start, end - escapes)
    let text = String(decoding: line[value], as: UTF8.self)
    if SecretWords.isReference(text, under: name) { return (end + 1)..<(end + 1) }
    let next = end + 1 < line.count ? line[end + 1] : UInt8(ascii: " ")
    guard " ,}]);.&\r\\".utf8.contains(next) || Self.isQuote(next) && next != quote else {
      return nil
    }
    return value
  }

  /// Returns the end of the name of a systemd credential; `nil` for anything else.
  private func reference(at index: Int) -> Range<Int>? {
    let end = line[index...].firstIndex { !SecretWords.isWordByte($0) } ?? line.count
    guard (1...64).contains(end - index) else { return nil }
    let isOver = end == line.count || " \t\r,}])\"'`\\".utf8.contains(line[end])
    return isOver ? end..<end : nil
  }

  /// Returns whether the value is `true`, `false` or `null`, which are not secret.
  private func isLiteral(at index: Int) -> Bool {
    let literals = ["true", "false", "null"]
    let value = line[index...].prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    guard literals.contains(String(decoding: value, as: UTF8.self)) else { return false }
    return value.endIndex == line.count || ",}] \r".utf8.contains(line[value.endIndex])
  }

  // MARK: pieces of a line

  private func skipSpaces(_ index: Int) -> Int {
    line[index...].firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? line.count
  }

  private func word(from start: Int) -> Range<Int> {
    start..<(line[start...].firstIndex { $0 <= 0x20 || Self.isQuote($0) } ?? line.count)
  }

  static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`")
  }
}
