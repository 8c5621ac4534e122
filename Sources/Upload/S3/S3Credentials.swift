/// The key that requests to S3 are signed with; what is in files is read anew for each delivery.
public struct S3Credentials: Sendable, Hashable {
  /// Where the public part of a key is.
  public enum AccessKeyID: Sendable, Hashable {
    /// Here; it is no secret.
    case text(String)
    /// In a file, so that it changes together with the secret part.
    case file(SecretFile)
  }

  /// The public part of the key.
  public var accessKeyID: AccessKeyID
  /// The secret part of the key.
  public var secretAccessKey: SecretFile
  /// The token of a temporary key.
  public var sessionToken: SecretFile?

  /// Makes credentials; nothing is read yet.
  public init(
    accessKeyID: AccessKeyID, secretAccessKey: SecretFile, sessionToken: SecretFile? = nil
  ) {
    self.accessKeyID = accessKeyID
    self.secretAccessKey = secretAccessKey
    self.sessionToken = sessionToken
  }

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
