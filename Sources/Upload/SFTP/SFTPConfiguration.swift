package import Transfer

/// The settings of an ``SFTPTarget``.
package struct SFTPConfiguration: Sendable {
  /// The file that proves the user's identity.
  package enum Proof: Sendable, Hashable {
    /// The file with the private key, which has no passphrase.
    case privateKey(SecretFile)
    /// The file with the password.
    case password(SecretFile)
  }

  /// The URL of the directory that item names are relative to: `sftp`, without user and password.
  package var url: String
  /// The user's name.
  package var user: String
  /// The user's proof of identity; `nil` makes no target.
  package var proof: Proof?
  /// The host key that the server must have; `nil` makes no target.
  package var hostKey: SSHHostKey?
  /// The timeouts and the rates.
  package var connection = HTTPSettings()
}
