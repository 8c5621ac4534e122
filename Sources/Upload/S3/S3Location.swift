import Devices
import Transfer

/// The location of a target's objects, and their names in requests.
struct S3Location: Hashable {
  /// The longest key that S3 takes, in bytes of UTF-8.
  static let maximumKeyByteCount = 1024

  /// The endpoint, with the bucket in its host or its path.
  private let base: OriginURL
  /// The prefix of all keys.
  private let prefix: [String]

  /// Makes the location that a configuration means.
  ///
  /// - Throws: ``DeliveryFailure`` with `blocked`, which names the part that cannot be used.
  init(_ configuration: S3Configuration) throws(DeliveryFailure) {
    do {
      try self.init(checking: configuration)
    } catch {
      let (name, value) =
        switch error.part {
        case .url: ("endpoint", configuration.url)
        case .bucket: ("bucket", configuration.bucket)
        case .prefix: ("prefix", configuration.prefix)
        }
      throw DeliveryFailure(
        .blocked, scope: .target,
        text: """
          the \(name) "\(Self.redactedText(value))" of an S3 target cannot be used: \(error.cause)
          """)
    }
  }

  /// Makes the location that a configuration means.
  init(checking configuration: S3Configuration) throws(TargetProblem) {
    let bucket = configuration.bucket
    guard let endpoint = OriginURL(configuration.url), !endpoint.target.contains("?"),
      endpoint.path.utf8.allSatisfy(Self.isUnreserved)
    else {
      throw TargetProblem(part: .url, cause: TargetProblem.usableURL)
    }
    guard Self.isBucketName(bucket) else {
      throw TargetProblem(
        part: .bucket, cause: "expected 3 to 63 letters, digits, dots, hyphens and underscores")
    }
    let directory = endpoint.path.split(separator: "/").map { "/" + $0 }.joined()
    let address: String
    switch configuration.addressing {
    case .path:
      address = "\(endpoint.scheme)://\(endpoint.hostField)\(directory)/\(bucket)"
    case .virtualHost:
      guard bucket.utf8.allSatisfy({ $0 != UInt8(ascii: "_") }), bucket == bucket.lowercased(),
        endpoint.scheme == "http" || !bucket.contains(".")
      else {
        throw TargetProblem(
          part: .bucket,
          cause: """
            it cannot be part of a host's name that a certificate is valid for; address it by path
            """)
      }
      address = "\(endpoint.scheme)://\(bucket).\(endpoint.hostField)\(directory)"
    }
    guard let base = OriginURL(address) else {
      throw TargetProblem(part: .url, cause: "no bucket can be named there")
    }
    guard let prefix = Self.parts(ofPrefix: configuration.prefix) else {
      throw TargetProblem(part: .prefix, cause: "expected names with a slash between them")
    }
    self.base = base
    self.prefix = prefix
  }

  /// Makes the key of an item from its name; returns `nil` for a key that S3 does not take.
  func key(ofName name: String) -> S3ObjectKey? {
    guard let parts = CollectionURL.parts(ofName: name) else { return nil }
    let key = S3ObjectKey(parts: prefix + parts)
    return key.text.utf8.count <= Self.maximumKeyByteCount ? key : nil
  }

  /// The value of the `Host` field.
  var hostField: String { base.hostField }

  /// Returns the percent-encoded path of an object or of the bucket.
  func path(_ key: S3ObjectKey?) -> String {
    let bucket = base.path == "/" ? "" : base.path
    return bucket + "/" + (key?.parts ?? []).map(CollectionURL.encoded).joined(separator: "/")
  }

  /// Returns the URL of an object or of the bucket, without a query.
  func url(_ key: S3ObjectKey?) -> String {
    url(path: path(key), encodedQuery: "")
  }

  /// Returns the URL of a request.
  func url(path: String, encodedQuery: String) -> String {
    "\(base.scheme)://\(base.hostField)\(path)" + (encodedQuery.isEmpty ? "" : "?" + encodedQuery)
  }

  private static func parts(ofPrefix prefix: String) -> [String]? {
    prefix.isEmpty ? [] : CollectionURL.parts(ofName: prefix)
  }

  private static func isBucketName(_ name: String) -> Bool {
    (3...63).contains(name.utf8.count) && name != "..."
      && name.utf8.allSatisfy { isUnreserved($0) && $0 != UInt8(ascii: "~") && $0 != 0x2F }
  }

  /// Returns whether a byte is a slash or, in RFC 3986, unreserved, so that it is not encoded.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "-._~/".utf8.contains(byte)
  }

  /// Returns a value of the configuration without the secrets that a URL in it may have.
  private static func redactedText(_ value: String) -> String {
    ByteText.shown(redactedURL(value))
  }
}

/// The key of an object, split at its slashes.
struct S3ObjectKey: Hashable {
  var parts: [String]

  /// The key as a text, as S3 knows it.
  var text: String { parts.joined(separator: "/") }
}
