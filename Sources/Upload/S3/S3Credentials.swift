/// The key that requests to S3 are signed with; its files are read for each delivery.
package struct S3Credentials: Sendable, Hashable {
  /// The place of a key's public part.
  package enum AccessKeyID: Sendable, Hashable {
    /// The text itself, as the public part is no secret.
    case text(String)
    /// A file, so that the public part changes together with the secret part.
    case file(SecretFile)
  }

  /// The public part of the key.
  package var accessKeyID: AccessKeyID
  /// The secret part of the key.
  package var secretAccessKey: SecretFile
  /// The token of a temporary key.
  package var sessionToken: SecretFile?

  /// Reads the key.
  ///
  /// - Throws: ``DeliveryFailure`` with `unauthorized`, which names the file that cannot be used.
  func read() throws(DeliveryFailure) -> S3Key {
    let identity: String
    switch accessKeyID {
    case .text(let text): identity = text
    case .file(let file): identity = try file.read()
    }
    return S3Key(
      accessKeyID: identity, secretAccessKey: try secretAccessKey.read(),
      sessionToken: try sessionToken?.read())
  }
}

/// A key in memory, for the time of one delivery.
struct S3Key: Sendable {
  var accessKeyID: String
  var secretAccessKey: String
  var sessionToken: String?
}
