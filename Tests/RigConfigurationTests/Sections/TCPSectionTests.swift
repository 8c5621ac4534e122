import API
import RigConfiguration
import Settings
import TestSupport
import Testing

/// The section of the API over the network, and its mistakes.
@Suite struct TCPSectionTests {
  private static let hash = "sha256:" + String(repeating: "0f", count: 32)

  private func parse(_ tcp: String) throws -> NetworkConfiguration? {
    let text = "api: { tcp: \(tcp.replacing("HASH", with: Self.hash)) }"
    return try PlatenConfiguration.parse(afterMinimum: text).api.server.network
  }

  @Test func `the network listener is off by default`() throws {
    let configuration = try PlatenConfiguration.parse(
      "rig: { id: r }\nboard: linux\nspool: { directory: /v }\napi: {}", file: "f")
    #expect(configuration.api.server.network == nil)
  }

  @Test func `a token is enough for a listener`() throws {
    let network = try #require(try parse("{ tokens: { fleet: { hash: HASH, allow: read } } }"))
    #expect(network.address == "127.0.0.1" && network.port == 8443)
    #expect(network.hosts == ["127.0.0.1", "localhost"] && network.origins.isEmpty)
    let token = try #require(AccessToken(name: "fleet", hash: Self.hash, permission: .read))
    #expect(network.tokens == [token])
  }

  @Test func `every key of the section can be set`() throws {
    let network = try #require(
      try parse(
        "{ address: \"::\", network: trusted, port: 80, hosts: [Rig.Example, \"::1\"], "
          + "origins: [\"https://console.example:8443\"], \(Self.tokens) }"))
    #expect(network.address == "::" && network.port == 80)
    #expect(network.hosts == ["rig.example", "::1"])
    #expect(network.origins == ["https://console.example:8443"])
  }

  private static let tokens = "tokens: { a: { hash: HASH, allow: act } }"

  /// The `Host` that clients send is compared in lower case.
  @Test(arguments: [("FE80::1", "fe80::1"), ("::1", "::1"), ("192.0.2.1", "192.0.2.1")])
  func `the address counts as a host in any spelling`(_ address: String, _ host: String) throws {
    let network = try #require(
      try parse("{ \(Self.tokens), network: trusted, address: \"\(address)\" }"))
    #expect(network.address == address)
    #expect(network.hosts == (host == "::1" ? [host, "localhost"] : [host]))
  }

  @Test(arguments: ["0.0.0.0", "::", "::0", "0:0:0:0:0:0:0:0"])
  func `a wildcard address needs hosts`(_ address: String) throws {
    let start = "{ \(Self.tokens), network: trusted, address: \"\(address)\""
    #expect {
      try parse(start + " }")
    } throws: { error in
      let issues = (error as? ConfigurationErrors)?.issues ?? []
      return issues.count == 1 && issues[0].key == "api.tcp.hosts"
        && issues[0].problem.hasPrefix("is missing; expected the names by which clients call")
    }
    #expect(try parse(start + ", hosts: [Rig.Example] }")?.hosts == ["rig.example"])
  }

  @Test(arguments: [
    ("{ \(tokens), address: 192.0.2.1 }", "api.tcp.address", "over \"192.0.2.1\" others could"),
    (
      "{ \(tokens), address: \"::\", hosts: [a] }", "api.tcp.address",
      "nginx or Caddy with TLS before a loopback address, or set \"network: trusted\""
    ),
    ("{ \(tokens), address: 192.0.2.1, network: home }", "api.tcp.network", "expected trusted"),
    ("{ \(tokens), network: true }", "api.tcp.network", "expected trusted"),
    ("{ \(tokens), address: localhost }", "api.tcp.address", "a number"),
    ("{ \(tokens), port: 0 }", "api.tcp.port", "65535"),
    ("{ \(tokens), hosts: [\"a:80\"] }", "api.tcp.hosts[0]", "without a port"),
    ("{ \(tokens), origins: [console.example] }", "api.tcp.origins[0]", "an origin"),
    ("{ \(tokens), origins: [\"https://a/\"] }", "api.tcp.origins[0]", "an origin"),
    ("{ \(tokens), origins: [\"*\"] }", "api.tcp.origins[0]", "an origin"),
    ("{}", "api.tcp", "nobody would be known"),
    ("{ tokens: {} }", "api.tcp.tokens", "at least one"),
    ("{ tokens: { a: { hash: HASH } } }", "api.tcp.tokens.a.allow", "is missing"),
    ("{ tokens: { a: { hash: HASH, allow: all } } }", "api.tcp.tokens.a.allow", "read, act"),
    ("{ tokens: { a: { allow: act } } }", "api.tcp.tokens.a.hash", "is missing"),
    ("{ tokens: { \"a b\": { hash: HASH, allow: act } } }", "api.tcp.tokens.a b", "without spaces"),
    (
      "{ \(tokens), tls: { certificate: /c, key: /k } }", "api.tcp.tls",
      "has no TLS of its own: remove this section, and put nginx or Caddy"
    ),
    ("{ \(tokens), tls: }", "api.tcp.tls", "nginx or Caddy"),
    ("{ \(tokens), plain: true }", "api.tcp.plain", "unknown key"),
  ])
  func `a mistake is reported with its key`(_ text: String, key: String, mentions: String) {
    #expect {
      try parse(text)
    } throws: { error in
      let issues = (error as? ConfigurationErrors)?.issues ?? []
      return issues.count == 1 && issues[0].key == key && issues[0].problem.contains(mentions)
    }
  }

  /// The example of the documentation is the first text that a user copies.
  @Test func `the example of the documentation is accepted`() throws {
    let example = try Documentation.example("yaml", in: "docs/how-to/read-from-a-fleet.md")
    let text =
      "rig: { id: rig-1 }\nboard: linux\nspool: { directory: /var/lib/platen }\n"
      + example.replacing("sha256:…", with: Self.hash)
    let network = try PlatenConfiguration.parse(text, file: "platen.yaml").api.server.network
    #expect(network?.address == "127.0.0.1" && network?.hosts == ["rig-1.example"])
  }

  /// A token put in place of its hash does not get into the log.
  @Test func `a token in place of its hash is not repeated`() {
    let token = AccessToken.make().token
    #expect {
      try parse("{ tokens: { a: { hash: \(token), allow: act } } }")
    } throws: { error in
      let text = "\(error)"
      return text.contains("platenctl token") && !text.contains(token.dropFirst(10))
    }
  }
}
