import API
import Devices

/// A part of a support bundle: a file with its source and its length limit.
struct SupportPart: Sendable {
  /// The format of the text.
  enum Form: Sendable, Hashable {
    /// The format of one JSON value.
    case json
    /// The format with a JSON value on each line.
    case jsonLines
    /// The format of plain text.
    case text
  }

  /// The end of a too long text that is kept.
  enum Kept: Sendable, Hashable {
    case beginning
    case end
  }

  let name: String
  let form: Form
  var kept = Kept.beginning
  /// The most bytes, in addition to the line about the cut.
  var maximumBytes = 1 << 20
  let read: @Sendable (SupportSource) async throws(Unavailable) -> [UInt8]

  /// Returns the text without its secrets, cut to the part's limit.
  ///
  /// Secrets are removed first, because a cut secret would no longer be recognized.
  ///
  /// - Returns: the text and the number of cut bytes.
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
      let notice = cut.counted("byte after this was", "bytes after this were")
      return (Array(whole) + end + Array("(\(notice) cut)\n".utf8), cut)
    case .end:
      let tail = text.suffix(maximumBytes)
      let whole = tail.suffix(from: (tail.firstIndex(of: lineFeed) ?? tail.startIndex - 1) + 1)
      let cut = text.count - whole.count
      let notice = cut.counted("byte before this was", "bytes before this were")
      return (Array("(\(notice) cut)\n".utf8) + whole, cut)
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

  /// Redacts a JSON value; text that is not JSON, such as a truncated file, is redacted as text.
  private static func redactedJSON(_ bytes: [UInt8], isPretty: Bool) -> String {
    guard let value = try? APICoding.decode(JSONValue.self, from: bytes),
      let text = try? APICoding.encode(Redaction.redacting(value), isPretty: isPretty)
    else { return Redaction.redacting(String(decoding: bytes, as: UTF8.self)) }
    return String(decoding: text, as: UTF8.self)
  }
}
