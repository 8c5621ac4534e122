/// The settings for serving the API over TCP, without TLS.
package struct NetworkConfiguration: Sendable, Hashable {
  /// The address, in numeric form.
  package var address: String
  /// The port, 1...65535.
  package var port: Int
  /// The names by which clients call the rig, in lower case and without the port.
  ///
  /// The list refuses a web page whose own name points at the rig.
  package var hosts: Set<String>
  /// The origins of pages that may call besides the rig's own, for example
  /// `https://console.example`.
  package var origins: Set<String>
  /// The tokens of known callers.
  package var tokens: [AccessToken]

  /// Takes the settings.
  package init(
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
