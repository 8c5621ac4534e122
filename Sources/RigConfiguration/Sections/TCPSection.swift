package import API
import Foundation
package import Settings

/// The section `api.tcp`: the API over the network, without TLS.
///
/// Without this section, no TCP port is open. A wildcard address, `0.0.0.0` or `::`, needs `hosts`,
/// because no client calls the rig by it.
extension NetworkConfiguration: SettingsPart {
  /// Makes a configuration for this machine, without tokens.
  package init() { self.init(address: "127.0.0.1", port: 8443, hosts: []) }

  /// The keys of the section.
  package static let settings: [Setting<NetworkConfiguration>] = [
    Setting(\.address, "address", numericAddress, "the address to listen at"),
    trust,
    Setting(\.port, "port", .integer(1...65535), "the port to listen at"),
    Setting(
      set: \.hosts, "hosts", of: host, default: "the address, and localhost for a loopback address",
      "the names by which clients call the rig"),
    Setting(
      set: \.origins, "origins", of: origin,
      "the origins of other web pages that may call the rig"),
    .named(
      "tokens", "NAME", name: tokenName, noun: "token", needsOne: true, default: "required",
      "the tokens of the known callers",
      partMeaning: "a token, by the name of its holder in the audit log", add: add),
  ]

  private static let numericAddress = SettingForm<String>(
    "text", range: "an address as a number",
    expected: "an address as a number, for example 127.0.0.1", text: { $0 },
    parse: { IPAddress($0) == nil ? nil : $0 })

  private static let trust: Setting<NetworkConfiguration> = {
    let form = SettingForm<Bool>.words(["trusted": true])
    return Setting([
      ConfigurationKey(
        "network", form.type, form.range, default: "not trusted: loopback addresses only",
        "the trust in the network, on which others could read along")
    ]) { section, _ in
      _ = section.value("network", form)
    }
  }()

  /// The names of hosts; the ones that clients send are compared in lower case.
  private static let host = SettingForm<String>(
    "text", range: "names of hosts without a port", expected: "a host's name without a port",
    text: { $0 },
    parse: { text in
      let isName =
        (1...253).contains(text.utf8.count)
        && text.utf8.allSatisfy {
          NameCharacters.identifier.contains($0) || $0 == UInt8(ascii: ".")
        }
      return isName || IPAddress(text) != nil ? text.lowercased() : nil
    })

  /// The origins as in requests: `https://host` or `https://host:port`.
  private static let origin = SettingForm<String>(
    "text", range: "for example https://console.example",
    expected: "an origin: scheme, host and port", text: { $0 },
    parse: { text in
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      let isOrigin =
        parts.count == 3 && ["http:", "https:"].contains(parts[0]) && parts[1].isEmpty
        && !parts[2].isEmpty && text == text.lowercased() && !text.contains(" ")
      return isOrigin ? text : nil
    })

  private static let tokenName = SettingForm<String>(
    "text", range: "1 to 64 characters without spaces",
    expected: "1 to 64 characters without spaces", text: { $0 },
    parse: { name in
      (1...64).contains(name.count) && !name.unicodeScalars.contains(where: { $0.value < 0x21 })
        ? name : nil
    })

  private static func add(
    _ name: String, _ token: TokenSection, _ section: SettingsSection,
    _ network: inout NetworkConfiguration
  ) {
    if let known = AccessToken(name: name, hash: token.hash, permission: token.allow) {
      network.tokens.append(known)
    }
  }

  /// Refuses an address that is not trusted or has no names, and a section without tokens.
  package mutating func agree(in section: SettingsSection) {
    section.refuseFormer(
      "tls",
      "is gone, for the API has no TLS of its own: remove this section, and put nginx or Caddy with "
        + "TLS before a loopback address (docs/how-to/read-from-a-fleet.md shows how)")
    if !section.has("hosts") {
      hosts = [address.lowercased()]
      if IPAddress(address)?.isLoopback == true { hosts.insert("localhost") }
    }
    if IPAddress(address)?.isWildcard == true {
      section.require(
        "hosts", "the names by which clients call the rig, because nobody calls it by a wildcard")
    }
    if IPAddress(address)?.isLoopback == false, !section.has("network") {
      section.note(
        "over \"\(address)\" others could read along; put nginx or Caddy with TLS before a "
          + "loopback address, or set \"network: trusted\"", at: "address")
    }
    if !section.has("tokens") { section.note("needs \"tokens\": nobody would be known") }
  }
}

/// A section of `api.tcp.tokens`: a token's hash and its permission.
private struct TokenSection: SettingsPart {
  var hash = ""
  var allow = Permission.read

  static let settings: [Setting<TokenSection>] = [
    Setting(
      \.hash, "hash", hashForm, required: "what \"platenctl token\" prints",
      "the hash of the token"),
    Setting(
      \.allow, "allow", .word, required: "read or act", "the permission of the token's holder"),
  ]

  /// The form of a hash; a token in place of its hash is not repeated in an issue.
  private static let hashForm = SettingForm<String>(
    "text", range: "sha256: and 64 digits, as platenctl token prints it",
    expected: "sha256: and 64 digits, as \"platenctl token\" prints it", text: { $0 },
    parse: { AccessToken(name: "", hash: $0, permission: .read) == nil ? nil : $0 }
  ).secret
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
