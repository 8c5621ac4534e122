/// The settings of an HTTP connection to a target.
///
/// The first four keys need a URL with `https`.
///
/// | key | value | default |
/// |---|---|---|
/// | `ca_file` | certificates to trust instead of the system's | the system's |
/// | `pinned_keys` | Base64 SHA-256 of public keys, of which the server must have one | none |
/// | `client_certificate`, `client_key` | PEM files with the rig's certificate and its key | none |
/// | `connect_timeout` | 1 s to 5 min | `10 s` |
/// | `stall_timeout` | the time that a transfer may stall, 1 s to 10 min | `30 s` |
/// | `answer_timeout` | the time that a request may take besides its bytes, 1 s to 1 h | `60 s` |
/// | `minimum_rate` | the slowest permitted transfer, in bytes a second, 1 B or more | `4 KiB` |
package struct TargetConnectionSection: Sendable, Hashable {
  /// The trusted certificates that replace the system's.
  package var certificateAuthorityFile: String?
  /// The Base64 SHA-256 of public keys, one of which the server must have; empty for any.
  package var pinnedPublicKeys: [String] = []
  /// The rig's certificate.
  package var clientCertificateFile: String?
  /// The key of the rig's certificate.
  package var clientKeyFile: String?
  /// The timeout of connecting.
  package var connectTimeout = Duration.seconds(10)
  /// The time that a transfer may stall.
  package var stallTimeout = Duration.seconds(30)
  /// The time that a request may take besides the time for its bytes.
  package var answerTimeout = Duration.seconds(60)
  /// The slowest permitted transfer, in bytes a second.
  package var minimumBytesPerSecond: Int64 = 4096

  init() {}

  init(_ section: ConfigurationMapping) {
    certificateAuthorityFile = section.path("ca_file", isQuoted: false)
    pinnedPublicKeys =
      section.list("pinned_keys", expected: Self.expectedPin, parse: Self.pin) ?? []
    clientCertificateFile = section.path("client_certificate")
    clientKeyFile = section.path("client_key", isQuoted: false)
    if section.has("client_key"), !section.has("client_certificate") {
      section.note("goes with \"client_certificate\"", at: "client_key")
    }
    connectTimeout =
      section.duration("connect_timeout", in: .seconds(1)...(.seconds(300))) ?? connectTimeout
    stallTimeout =
      section.duration("stall_timeout", in: .seconds(1)...(.seconds(600))) ?? stallTimeout
    answerTimeout =
      section.duration("answer_timeout", in: .seconds(1)...(.seconds(3600))) ?? answerTimeout
    minimumBytesPerSecond =
      section.bytes("minimum_rate", in: 1...(1 << 40)) ?? minimumBytesPerSecond
  }

  /// The keys that concern the server's or the rig's certificate.
  static let keysOfTLS = ["ca_file", "pinned_keys", "client_certificate", "client_key"]

  private static let expectedPin = "the SHA-256 of a public key in Base64, 44 characters"

  private static func pin(_ text: String) -> String? {
    let isBase64 = text.utf8.dropLast().allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
    return text.utf8.count == 44 && text.hasSuffix("=") && isBase64 ? text : nil
  }
}
