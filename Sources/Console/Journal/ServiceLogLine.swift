/// A line of the service's log in the journal, in swift-log's format for standard error.
///
/// The format is `TIME LEVEL LABEL: KEY=VALUE… [SOURCE] MESSAGE`.
struct ServiceLogLine: Sendable, Hashable {
  private static let levels: Set<Substring> = [
    "trace", "debug", "info", "notice", "warning", "error", "critical",
  ]

  let level: String
  let label: String
  let message: String
  let metadata: [String: String]

  /// Parses a line; `nil` for another format, for example a library's own output.
  init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count == 3, Self.isTime(words[0]), Self.levels.contains(words[1]),
      let colon = words[2].firstIndex(of: ":")
    else { return nil }
    let rest = words[2][words[2].index(after: colon)...]
    guard rest.hasPrefix(" "), let (before, message) = Self.divided(rest.dropFirst()),
      let metadata = Self.pairs(before)
    else { return nil }
    level = String(words[1])
    label = String(words[2][..<colon])
    self.message = String(message)
    self.metadata = metadata
  }

  /// Returns whether a word is a time such as `2026-11-21T10:00:00+0100`.
  private static func isTime(_ word: Substring) -> Bool {
    let bytes = Array(word.utf8)
    return bytes.count == 24 && bytes[4] == UInt8(ascii: "-") && bytes[10] == UInt8(ascii: "T")
      && bytes[13] == UInt8(ascii: ":")
  }

  /// Returns the parts before and after the source, which is a module's name in brackets.
  ///
  /// The last match counts: the message has fixed words, but a value may contain anything. At most
  /// eight candidates are examined, so that no text takes long.
  private static func divided(_ text: Substring) -> (before: Substring, message: Substring)? {
    var end = text.endIndex
    for _ in 0..<8 {
      guard let close = text[..<end].lastIndex(of: "]"),
        let open = text[..<close].lastIndex(of: "[")
      else { return nil }
      end = close
      let name = text[text.index(after: open)..<close]
      let after = text[text.index(after: close)...]
      let before = text[..<open]
      if !name.isEmpty, name.allSatisfy(isOfName), after.isEmpty || after.hasPrefix(" "),
        before.isEmpty || before.hasSuffix(" ")
      {
        return (before.dropLast(), after.dropFirst())
      }
    }
    return nil
  }

  /// Parses `KEY=VALUE KEY=VALUE` with keys in ascending order.
  ///
  /// A pair out of order is part of the value before it.
  private static func pairs(_ text: Substring) -> [String: String]? {
    var pairs: [String: String] = [:]
    var last: String?
    guard !text.isEmpty else { return pairs }
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let key = String(word.prefix { $0 != "=" })
      if key.count < word.count, isKey(key), last.map({ $0 < key }) ?? true {
        pairs[key] = String(word.dropFirst(key.count + 1))
        last = key
      } else {
        guard let last else { return nil }
        pairs[last, default: ""] += " \(word)"
      }
    }
    return pairs
  }

  private static func isKey(_ text: String) -> Bool {
    text.first?.isLetter == true && text.allSatisfy { isOfName($0) || $0 == "." || $0 == "-" }
  }

  private static func isOfName(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber) || character == "_"
  }
}
