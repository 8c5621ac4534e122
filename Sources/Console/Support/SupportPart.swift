import API

/// A part of a support bundle: a file, where it comes from, and how long it may be.
struct SupportPart: Sendable {
  /// What its text is.
  enum Form: Sendable, Hashable {
    /// One JSON value.
    case json
    /// A JSON value on each line.
    case jsonLines
    /// Any text.
    case text
  }

  /// Which end of a text that is too long is kept.
  enum Kept: Sendable, Hashable {
    case beginning
    case end
  }

  let name: String
  let form: Form
  var kept = Kept.beginning
  /// The most bytes of it, besides the line that says that it was cut.
  var maximumBytes = 1 << 20
  let read: @Sendable (SupportSource) async throws(Unavailable) -> [UInt8]

  /// The text without its secrets, in the part's length.
  ///
  /// Secrets go first: what a cut leaves of one would not be known any more.
  ///
  /// - Returns: the text, and how many bytes were cut.
  func prepared(_ bytes: [UInt8]) -> (text: [UInt8], cut: Int) {
    let text = Array(redacted(bytes).utf8)
    guard text.count > maximumBytes else { return (text, 0) }
    let lineFeed = UInt8(ascii: "\n")
    switch kept {
    case .beginning:
      let head = text.prefix(maximumBytes)
      let whole = head.prefix((head.lastIndex(of: lineFeed) ?? head.endIndex - 1) + 1)
      let cut = text.count - whole.count
      let end: [UInt8] = whole.last == lineFeed ? [] : [lineFeed]
      return (Array(whole) + end + Array("(\(cut) bytes after this were cut)\n".utf8), cut)
    case .end:
      let tail = text.suffix(maximumBytes)
      let whole = tail.suffix(from: (tail.firstIndex(of: lineFeed) ?? tail.startIndex - 1) + 1)
      let cut = text.count - whole.count
      return (Array("(\(cut) bytes before this were cut)\n".utf8) + whole, cut)
    }
  }

  private func redacted(_ bytes: [UInt8]) -> String {
    switch form {
    case .text: return Redaction.redacting(String(decoding: bytes, as: UTF8.self))
    case .json: return Self.redactedJSON(bytes, isPretty: true) + "\n"
    case .jsonLines:
      return bytes.split(separator: UInt8(ascii: "\n")).map {
        Self.redactedJSON(Array($0), isPretty: false) + "\n"
      }.joined()
    }
  }

  /// What is no JSON, perhaps because it was cut off with the power, is taken as text.
  private static func redactedJSON(_ bytes: [UInt8], isPretty: Bool) -> String {
    guard let value = try? APICoding.decode(JSONValue.self, from: bytes),
      let text = try? APICoding.encode(Redaction.redacting(value), isPretty: isPretty)
    else { return Redaction.redacting(String(decoding: bytes, as: UTF8.self)) }
    return String(decoding: text, as: UTF8.self)
  }
}
