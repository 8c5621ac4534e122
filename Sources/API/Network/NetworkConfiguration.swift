/// Where the API is served over TCP, and who is known there.
public struct NetworkConfiguration: Sendable, Hashable {
  /// Certificates for TLS, in PEM files.
  public struct TLS: Sendable, Hashable {
    /// The server's certificate, and those that lead to its authority.
    public var certificatePath: String
    /// The certificate's key.
    public var keyPath: String
    /// The authorities whose certificates make a client known; `nil` for none.
    public var clientAuthoritiesPath: String?
    /// What a client with such a certificate may do.
    public var clientPermission: Permission

    /// Takes the paths.
    public init(
      certificatePath: String, keyPath: String, clientAuthoritiesPath: String? = nil,
      clientPermission: Permission = .read
    ) {
      self.certificatePath = certificatePath
      self.keyPath = keyPath
      self.clientAuthoritiesPath = clientAuthoritiesPath
      self.clientPermission = clientPermission
    }
  }

  /// The address, as a number.
  public var address: String
  /// The port, 1...65535.
  public var port: Int
  /// The names by which clients call the rig, in lower case and without the port.
  ///
  /// A page of the web that has its own name point at the rig is refused by this.
  public var hosts: Set<String>
  /// The origins of pages that may call, for example `https://console.example`.
  public var origins: Set<String>
  /// The tokens of those who are known.
  public var tokens: [AccessToken]
  /// The certificates; `nil` for no TLS.
  public var tls: TLS?

  /// Takes the settings.
  public init(
    address: String, port: Int, hosts: Set<String>, origins: Set<String> = [],
    tokens: [AccessToken] = [], tls: TLS? = nil
  ) {
    self.address = address
    self.port = port
    self.hosts = hosts
    self.origins = origins
    self.tokens = tokens
    self.tls = tls
  }
}
