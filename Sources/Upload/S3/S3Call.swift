import Digests
import Transfer

/// A request to S3, before it is signed.
struct S3Call {
  /// The SHA-256 of an empty body.
  static let emptyHash = Digest(.sha256).value.hexadecimal

  /// The method.
  var method: String
  /// The object; `nil` for the bucket.
  var key: S3ObjectKey?
  /// The parameters of the query.
  var query: [CanonicalRequest.Parameter] = []
  /// The fields besides those of the signature, all of which are signed.
  var headers: [HTTPHeader] = []
  /// The body.
  var body: HTTPBody = .none
  /// The SHA-256 of ``body`` as hexadecimal digits.
  var payloadHash = Self.emptyHash
  /// The number of bytes that the request moves, for its total timeout.
  var byteCount: Int64 = 0

  init(
    _ method: String, _ key: S3ObjectKey?, query: [CanonicalRequest.Parameter] = [],
    headers: [HTTPHeader] = []
  ) {
    self.method = method
    self.key = key
    self.query = query
    self.headers = headers
  }

  /// Sets bytes in memory as the body.
  mutating func carry(_ bytes: [UInt8]) {
    body = .bytes(bytes)
    payloadHash = Digest.value(.sha256, of: bytes).hexadecimal
    byteCount = Int64(bytes.count)
  }

  /// Sets a part of a file, whose hash is known, as the body.
  mutating func carry(_ range: Range<Int64>, of path: String, sha256: String) {
    let count = range.upperBound - range.lowerBound
    body = .fileRange(path: path, offset: range.lowerBound, byteCount: count)
    payloadHash = sha256
    byteCount = count
  }
}
