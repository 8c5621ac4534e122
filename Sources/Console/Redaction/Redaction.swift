import Devices

/// A remover of secrets from everything that leaves a rig; all functions are pure.
///
/// ``mark`` replaces everything that looks like a secret:
///
/// - the value of a name such as `password`, `token` or `api_key`, to the end of its quotes or its
///   line;
/// - the user, the password and the query of a URL;
/// - private keys in PEM;
/// - tokens recognized by their form.
///
/// References to secrets stay: `credential:NAME`, and the path of a file under a name that ends
/// with `file`. In case of doubt the text is removed.
package enum Redaction {
  /// The replacement of a secret.
  package static let mark = "(redacted)"
  /// The most bytes of a line; the rest is cut, so that no line takes long.
  static let maximumLineBytes = 32 * 1024
  /// The most lines of a private key; a key without an end hides no more lines.
  private static let maximumKeyLines = 200

  /// Returns the text without its secrets, line by line.
  package static func redacting(_ text: String) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    var keyLines = 0
    /// The indentation of a secret's name; all deeper lines belong to the value.
    var deeper: Int?
    var isFirst = true
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if !isFirst { result.append(UInt8(ascii: "\n")) }
      isFirst = false
      let bytes = Array(line)
      if keyLines > 0 {
        keyLines = contains(bytes, "-----END") ? 0 : keyLines - 1
        continue
      }
      let indentation = bytes.prefix { $0 == UInt8(ascii: " ") }.count
      let isEmpty = bytes.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
      if let limit = deeper {
        let isElement = bytes.dropFirst(indentation).first == UInt8(ascii: "-")
        if isEmpty || indentation > limit || indentation == limit && isElement {
          result += bytes.prefix(indentation)
          if !isEmpty { result += mark.utf8 }
          continue
        }
        deeper = nil
      }
      var scanner = SecretScanner(Array(bytes.prefix(maximumLineBytes)))
      result += scanner.redacted()
      if scanner.opensBlock { deeper = indentation }
      if scanner.opensKey { keyLines = maximumKeyLines }
      if bytes.count > maximumLineBytes {
        let cut = bytes.count - maximumLineBytes
        result +=
          " (\(cut.counted("byte of this line was", "bytes of this line were")) cut)".utf8
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the value without its secrets.
  ///
  /// The value under a secret's name is replaced as a whole; other texts lose only their secrets.
  package static func redacting(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): return .string(redacting(text))
    case .array(let values): return .array(values.map { redacting($0) })
    case .object(let values):
      let pairs = values.map { key, value in
        (
          redacting(key),
          SecretWords.holdsSecret(key) ? hiding(value, under: key) : redacting(value)
        )
      }
      return .object(Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
    case .null, .boolean, .integer, .number: return value
    }
  }

  private static func hiding(_ value: JSONValue, under key: String) -> JSONValue {
    switch value {
    case .null, .boolean: value
    case .string(let text) where SecretWords.isReference(text, under: key): value
    case .string, .integer, .number, .array, .object: .string(mark)
    }
  }

  private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    bytes.firstRange(of: Array(text.utf8)) != nil
  }
}
