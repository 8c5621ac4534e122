import Transfer

/// A request in the form in which AWS Signature Version 4 signs it.
///
/// The rules are from the AWS documentation, "Create a signed AWS API request". The path is used
/// unchanged, as S3 requires: percent-encoded once and never normalized.
struct CanonicalRequest: Hashable {
  /// A parameter of the query, not encoded.
  struct Parameter: Hashable {
    var name: String
    var value: String

    init(_ name: String, _ value: String = "") {
      self.name = name
      self.value = value
    }
  }

  /// The method.
  var method: String
  /// The path, percent-encoded, with a slash at its beginning.
  var path: String
  /// The parameters of the query, in any order.
  var query: [Parameter] = []
  /// The fields that are signed, in any order; `host` must be one of them.
  var headers: [HTTPHeader]
  /// The SHA-256 of the body as lower-case hexadecimal digits, or a placeholder for it.
  var payloadHash: String

  /// The query as it is signed and sent: encoded, and sorted by name and then by value.
  var encodedQuery: String {
    query.map { (CollectionURL.encoded($0.name), CollectionURL.encoded($0.value)) }
      .sorted { Self.precedes($0.0, $1.0) || ($0.0 == $1.0 && Self.precedes($0.1, $1.1)) }
      .map { $0 + "=" + $1 }.joined(separator: "&")
  }

  /// The names of the signed fields, in lower case, sorted, with semicolons between them.
  var signedHeaders: String { fields.map(\.name).joined(separator: ";") }

  /// The text whose hash is signed.
  var text: String {
    [
      method, path, encodedQuery,
      fields.map { "\($0.name):\($0.values.joined(separator: ","))\n" }.joined(), signedHeaders,
      payloadHash,
    ].joined(separator: "\n")
  }

  /// The fields by name; fields of one name keep their order.
  private var fields: [(name: String, values: [String])] {
    var values: [String: [String]] = [:]
    for header in headers {
      values[header.name.lowercased(), default: []].append(Self.trimmed(header.value))
    }
    return values.sorted { Self.precedes($0.key, $1.key) }.map { ($0.key, $0.value) }
  }

  /// Returns a value without surrounding white space and with single spaces inside.
  private static func trimmed(_ value: String) -> String {
    value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
  }

  /// Returns whether a text comes before another in byte order, as the documentation requires.
  private static func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
  }
}
