import API
import TestSupport
import Testing

/// The tokens that the API over TCP knows in tests.
enum Known {
  /// The token "fleet", which may look.
  static let reader = AccessToken.make()
  /// The token "office", which may act.
  static let operator_ = AccessToken.make()

  /// Returns settings for both tokens at a free port of 127.0.0.1.
  static func network(
    hosts: Set<String> = ["127.0.0.1"], origins: Set<String> = []
  ) throws -> NetworkConfiguration {
    NetworkConfiguration(
      address: "127.0.0.1", port: Int(try LocalPort.free()), hosts: hosts, origins: origins,
      tokens: [
        try #require(AccessToken(name: "fleet", hash: reader.hash, permission: .read)),
        try #require(AccessToken(name: "office", hash: operator_.hash, permission: .act)),
      ])
  }
}
