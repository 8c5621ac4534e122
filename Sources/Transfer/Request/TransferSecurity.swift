/// The authorities and keys that a client trusts over TLS, and the client's own certificate.
///
/// Every setting makes the check stricter or names another authority; none disables the check.
package struct TransferSecurity: Sendable, Hashable {
  /// The path of a PEM file with certificates that are trusted instead of the system's.
  package var certificateAuthorityFile: String?
  /// The accepted public keys as SHA-256 in Base64 (SubjectPublicKeyInfo, DER).
  ///
  /// The server's certificate must be valid and must hold one of these keys. An empty list accepts
  /// any key. Two or more keys allow a change of keys without locking out a fleet.
  package var pinnedPublicKeys: [String]
  /// The path of a PEM file with our own certificate, for servers that request one.
  package var clientCertificateFile: String?
  /// The path of a PEM file with the private key of ``clientCertificateFile``.
  package var clientKeyFile: String?

  /// Whether a setting needs TLS.
  package var isDemanding: Bool { self != TransferSecurity() }

  /// Creates settings; the defaults trust the system's authorities and offer no certificate.
  package init(
    certificateAuthorityFile: String? = nil, pinnedPublicKeys: [String] = [],
    clientCertificateFile: String? = nil, clientKeyFile: String? = nil
  ) {
    self.certificateAuthorityFile = certificateAuthorityFile
    self.pinnedPublicKeys = pinnedPublicKeys
    self.clientCertificateFile = clientCertificateFile
    self.clientKeyFile = clientKeyFile
  }
}
