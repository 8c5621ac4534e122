import API
import Foundation

/// The section `api.tcp`: the API over the network, without TLS.
///
/// Without this section, no TCP port is open.
///
/// | key | value | default |
/// |---|---|---|
/// | `address` | the address to listen at, as a number | `127.0.0.1` |
/// | `network` | `trusted`, without which only a loopback address is taken | not trusted |
/// | `port` | 1 to 65535 | 8443 |
/// | `hosts` | the names by which clients call the rig, without the port | the address |
/// | `origins` | the origins of pages that may call, for example `https://console.example` | none |
/// | `tokens` | a section for each name: `hash`, as `platenctl token` prints it, and `allow` | none |
///
/// A wildcard address, `0.0.0.0` or `::`, needs `hosts`, because no client calls the rig by it.
///
/// The value of `allow` is `read` or `act`. At least one token is required.
enum TCPSection {
  /// The trust in the network.
  private enum Network: String, CaseIterable {
    /// The network has no unauthorized eavesdroppers.
    case trusted
  }

  static func read(_ section: ConfigurationMapping) -> NetworkConfiguration? {
    let address = section.value(
      "address", expected: "an address as a number, for example 127.0.0.1"
    ) { text in IPAddress(text) == nil ? nil : text }
    let isAddressWrong = section.has("address") && address == nil
    let listening = address ?? "127.0.0.1"
    let port = section.integer("port", in: 1...65535)
    let hosts = section.list("hosts", expected: "a host's name without a port") { text in
      host(text) ? text.lowercased() : nil
    }
    let origins = section.list("origins", expected: "an origin: scheme, host and port") { text in
      origin(text) ? text : nil
    }
    let tokens = section.section("tokens").map { readTokens($0) } ?? []
    _ = section.word("network", Network.self)
    section.refuseFormer(
      "tls",
      "is gone, for the API has no TLS of its own: remove this section, and put nginx or Caddy with "
        + "TLS before a loopback address (docs/how-to/read-from-a-fleet.md shows how)")
    if IPAddress(listening)?.isWildcard == true {
      section.require(
        "hosts", "the names by which clients call the rig, because nobody calls it by a wildcard")
    }
    if !isAddressWrong, IPAddress(listening)?.isLoopback == false, !section.has("network") {
      section.note(
        "over \"\(listening)\" others could read along; put nginx or Caddy with TLS before a "
          + "loopback address, or set \"network: trusted\"", at: "address")
    }
    if !section.has("tokens") { section.note("needs \"tokens\": nobody would be known") }
    section.refuseUnknownKeys()
    return NetworkConfiguration(
      // Host names of clients are compared in lower case.
      address: listening, port: port ?? 8443, hosts: Set(hosts ?? [listening.lowercased()]),
      origins: Set(origins ?? []), tokens: tokens)
  }

  private static func readTokens(_ section: ConfigurationMapping) -> [AccessToken] {
    if section.keys.isEmpty { section.note("expected at least one name with its token") }
    return section.keys.compactMap { name in
      guard let entry = section.section(name) else { return nil }
      guard (1...64).contains(name.count), !name.unicodeScalars.contains(where: { $0.value < 0x21 })
      else {
        section.note("expected a name of 1 to 64 characters without spaces", at: name)
        return nil
      }
      entry.require("hash", "what \"platenctl token\" prints")
      entry.require("allow", "read or act")
      let allow = entry.word("allow", Permission.self)
      // A token in place of its hash is not repeated in the message.
      var hash: AccessToken?
      if let text = entry.text("hash") {
        hash = AccessToken(name: name, hash: text, permission: allow ?? .read)
        if hash == nil {
          entry.note("expected sha256: and 64 digits, as \"platenctl token\" prints it", at: "hash")
        }
      }
      entry.refuseUnknownKeys()
      return hash
    }
  }

  private static func host(_ text: String) -> Bool {
    if IPAddress(text) != nil { return true }
    return (1...253).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Returns whether a text is an origin as in requests: `https://host` or `https://host:port`.
  private static func origin(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 3 && ["http:", "https:"].contains(parts[0]) && parts[1].isEmpty
      && !parts[2].isEmpty && text == text.lowercased() && !text.contains(" ")
  }
}

/// An IPv4 or IPv6 address (`inet_pton`).
struct IPAddress {
  /// Whether the address leads to this machine only.
  let isLoopback: Bool
  /// Whether the address stands for all addresses of this machine.
  let isWildcard: Bool

  /// Makes an address; `nil` for any other text.
  init?(_ text: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 {
      isLoopback = bytes[0] == 127
      isWildcard = bytes[..<4].allSatisfy { $0 == 0 }
    } else if inet_pton(AF_INET6, text, &bytes) == 1 {
      isLoopback = bytes == Array(repeating: 0, count: 15) + [1]
      isWildcard = bytes.allSatisfy { $0 == 0 }
    } else {
      return nil
    }
  }
}
