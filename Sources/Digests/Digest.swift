internal import CCrypto

/// A digest of bytes that arrive in pieces, by the system's libcrypto (`EVP_DigestInit_ex`(3)).
///
/// libcurl has loaded that library already, and the distribution keeps it patched.
package final class Digest {
  /// An algorithm that a server or one of the product's file formats needs.
  package enum Algorithm: String, Sendable, Hashable {
    case sha256
    case sha1
    case md5

    fileprivate var implementation: OpaquePointer? {
      switch self {
      case .sha256: EVP_sha256()
      case .sha1: EVP_sha1()
      case .md5: EVP_md5()
      }
    }
  }

  private let context: OpaquePointer

  package init(_ algorithm: Algorithm) {
    guard let context = EVP_MD_CTX_new() else { preconditionFailure("there is no memory left") }
    self.context = context
    let isBegun = EVP_DigestInit_ex(context, algorithm.implementation, nil) == 1
    precondition(isBegun, "the system's libcrypto has no \(algorithm)")
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Takes the next piece.
  package func update(_ bytes: RawSpan) {
    let isTaken = bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) } == 1
    precondition(isTaken, "libcrypto refused bytes in memory")
  }

  /// The digest of the bytes so far: 32 bytes of SHA-256, 20 of SHA-1, 16 of MD5.
  ///
  /// More pieces may follow.
  package var value: [UInt8] {
    guard let copy = EVP_MD_CTX_new() else { preconditionFailure("there is no memory left") }
    defer { EVP_MD_CTX_free(copy) }
    let isCopied = EVP_MD_CTX_copy_ex(copy, context) == 1
    precondition(isCopied, "libcrypto could not copy a digest in memory")
    return [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
      var length: UInt32 = 0
      let isFinished = EVP_DigestFinal_ex(copy, buffer.baseAddress, &length) == 1
      precondition(isFinished, "libcrypto could not finish a digest in memory")
      count = Int(length)
    }
  }
}

extension Digest {
  /// Returns the digest of a text or of bytes in memory.
  package static func value(_ algorithm: Algorithm, of bytes: some Sequence<UInt8>) -> [UInt8] {
    let digest = Digest(algorithm)
    let taken: Void? = bytes.withContiguousStorageIfAvailable { digest.update($0.span.bytes) }
    if taken == nil { digest.update(Array(bytes).span.bytes) }
    return digest.value
  }

  /// Returns the code that authenticates bytes by a key: HMAC with SHA-256, 32 bytes (RFC 2104).
  package static func authenticationCode(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
      var length: UInt32 = 0
      let code = HMAC(
        EVP_sha256(), key, Int32(key.count), bytes, bytes.count, buffer.baseAddress, &length)
      precondition(code != nil, "libcrypto could not authenticate bytes in memory")
      count = Int(length)
    }
  }
}
