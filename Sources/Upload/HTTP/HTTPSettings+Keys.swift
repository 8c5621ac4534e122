import Settings
import Transfer

/// The keys of the configuration that all HTTP targets have.
extension HTTPSettings {
  private static let pin = SettingForm<String>(
    "text", range: "SHA-256 in Base64",
    expected: "the SHA-256 of a public key in Base64, 44 characters", text: { $0 },
    parse: { text in
      let isBase64 = ByteText.isBase64(text.utf8.dropLast())
      return text.utf8.count == 44 && text.hasSuffix("=") && isBase64 ? text : nil
    })

  private static let connectTimeouts: ClosedRange<Duration> = .seconds(1) ... .seconds(300)
  private static let stallTimeouts: ClosedRange<Duration> = .seconds(1) ... .seconds(600)
  private static let answerTimeouts: ClosedRange<Duration> = .seconds(1) ... .seconds(3600)
  /// The value is one tebibyte per second, which no connection exceeds.
  private static let highestRate: Int64 = 1 << 40
  private static let rates: ClosedRange<Int64> = 1...highestRate
  private static let bandwidths: ClosedRange<Int64> = 1024...highestRate

  private static let security: [Setting<HTTPSettings>] = [
    Setting(
      \.security.certificateAuthorityFile, "ca_file", SettingForm<String>.path.secret,
      only: "with https",
      default: "the system's", "the file with the certificates that are trusted"),
    Setting(
      list: \.security.pinnedPublicKeys, "pinned_keys", of: pin, only: "with https",
      "public keys, one of which the server must have"),
    Setting<HTTPSettings>(
      \.security.clientCertificateFile, "client_certificate", .path, only: "with https",
      "the file with the rig's own certificate"
    ).reserved,
    Setting(
      \.security.clientKeyFile, "client_key", SettingForm<String>.path.secret, only: "with https",
      "the file with the key of the rig's own certificate; goes with client_certificate"),
  ]

  /// The keys that concern the server's or the rig's certificate.
  static let keysOfTLS = ["ca_file", "pinned_keys", "client_certificate", "client_key"]

  /// The settings of timeouts and rates, which SFTP has too.
  static let limits: [Setting<HTTPSettings>] = [
    Setting(
      \.connectTimeout, "connect_timeout", .duration(connectTimeouts),
      "the longest time for making a connection"),
    Setting(
      \.stallTimeout, "stall_timeout", .duration(stallTimeouts),
      "the longest time without a byte in a transfer"),
    Setting(
      \.answerTimeout, "answer_timeout", .duration(answerTimeouts),
      "the longest time for a request, beside the time for its bytes"),
    Setting(
      \.minimumBytesPerSecond, "minimum_rate", .bytes(rates, unit: "a second"),
      "the slowest transfer that is not given up"),
    Setting(
      \.bytesPerSecond, "bandwidth", .bytes(bandwidths, unit: "a second"), default: "no limit",
      "the most bytes that all deliveries together send in a second"),
  ]

  /// The settings, which a kind of target lifts to its own.
  static let settings: [Setting<HTTPSettings>] = security + limits
}
