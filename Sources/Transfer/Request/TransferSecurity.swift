/// Whom a client trusts over TLS, and how it proves who it is.
///
/// Everything here makes the check stricter or names another authority; nothing turns it off.
public struct TransferSecurity: Sendable, Hashable {
  /// A file of PEM certificates that are trusted instead of the system's.
  public var certificateAuthorityFile: String?
  /// The SHA-256 of public keys (SubjectPublicKeyInfo, DER) as Base64, one of which the server's
  /// certificate must hold besides being valid; empty for no such demand.
  ///
  /// Two or more let a key be changed without a fleet that is locked out.
  public var pinnedPublicKeys: [String]
  /// A PEM file with our own certificate, for servers that ask for one.
  public var clientCertificateFile: String?
  /// A PEM file with the private key of ``clientCertificateFile``.
  public var clientKeyFile: String?

  /// Whether anything is demanded here that only TLS can give.
  public var isDemanding: Bool { self != TransferSecurity() }

  /// Makes settings; the defaults trust the system's authorities and offer no certificate.
  public init(
    certificateAuthorityFile: String? = nil, pinnedPublicKeys: [String] = [],
    clientCertificateFile: String? = nil, clientKeyFile: String? = nil
  ) {
    self.certificateAuthorityFile = certificateAuthorityFile
    self.pinnedPublicKeys = pinnedPublicKeys
    self.clientCertificateFile = clientCertificateFile
    self.clientKeyFile = clientKeyFile
  }
}
