/// Where the API is served over TCP, without TLS, and who is known there.
public struct NetworkConfiguration: Sendable, Hashable {
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

  /// Takes the settings.
  public init(
    address: String, port: Int, hosts: Set<String>, origins: Set<String> = [],
    tokens: [AccessToken] = []
  ) {
    self.address = address
    self.port = port
    self.hosts = hosts
    self.origins = origins
    self.tokens = tokens
  }
}
