/// The key that requests to S3 are signed with; its files are read for each delivery.
package struct S3Credentials: Sendable, Hashable {
  /// The public part of the key, which is no secret.
  package var accessKeyID: String
  /// The secret part of the key.
  package var secretAccessKey: SecretFile
  /// The token of a temporary key.
  package var sessionToken: SecretFile?

  /// Reads the key.
  ///
  /// - Throws: ``DeliveryFailure`` with `unauthorized`, which names the file that cannot be used.
  func read() throws(DeliveryFailure) -> S3Key {
    S3Key(
      accessKeyID: accessKeyID, secretAccessKey: try secretAccessKey.read(),
      sessionToken: try sessionToken?.read())
  }
}

/// A key in memory, for the time of one delivery.
struct S3Key: Sendable {
  var accessKeyID: String
  var secretAccessKey: String
  var sessionToken: String?
}
