package import Settings
import Transfer

extension SFTPConfiguration: TargetKind {
  /// Makes the defaults, without the server and the user.
  package init() { self.init(url: "", user: "") }

  /// The settings of `kind: sftp`.
  package static let settings: [Setting<SFTPConfiguration>] =
    own + HTTPSettings.limits.map { $0.at(\SFTPConfiguration.connection) }

  private static let own: [Setting<SFTPConfiguration>] = [
    address,
    Setting(\.user, "user", .userName, required: "the user's name", "the user's name"),
    proof, hostKey,
  ]

  private static let address = Setting<SFTPConfiguration>([
    ConfigurationKey(
      "url", "URL", "sftp://HOST:PORT/DIRECTORY, or /~/DIRECTORY below the user's home",
      default: "required", "the address that pictures are sent to")
  ]) { section, root in
    let expected = "an sftp URL with a host and a directory"
    section.require("url", expected)
    // A value with a password must not be quoted.
    guard let text = section.value("url", SettingForm<String>.text(expected).secret) else { return }
    if text.contains("@") {
      section.note("must hold no credentials; there are keys of their own for them", at: "url")
    } else if SFTPLocation(text) == nil {
      section.note("expected \(expected), found \"\(redactedURL(text).prefix(60))\"", at: "url")
    } else {
      root.url = text
    }
  }

  private static let proof: Setting<SFTPConfiguration> = {
    let form = SettingForm<SecretFile>.secretFile
    return Setting([
      ConfigurationKey(
        "private_key_file", form.type, form.range, isReserved: true,
        "the file with the private key for SSH, without a passphrase; or password_file"),
      ConfigurationKey(
        "password_file", form.type, form.range, isReserved: true, "the file with the password"),
    ]) { section, root in
      let key = section.value("private_key_file", form)
      let password = section.value("password_file", form)
      switch (section.has("private_key_file"), section.has("password_file")) {
      case (true, true): section.note("goes without \"private_key_file\"", at: "password_file")
      case (false, false):
        section.require("private_key_file", "a file, or the key \"password_file\"")
      default: break
      }
      if let key {
        root.proof = .privateKey(key)
      } else if let password {
        root.proof = .password(password)
      }
    }
  }()

  private static let fingerprint = SettingForm<SSHHostKey>(
    "text", range: "SHA256:…, as ssh-keygen -lf prints it",
    expected: "SHA256: and 43 characters, as ssh-keygen -lf prints them",
    parse: { text in
      let prefix = "SHA256:"
      let digest = text.dropFirst(prefix.count)
      guard text.hasPrefix(prefix), digest.utf8.count == 43, ByteText.isBase64(digest.utf8) else {
        return nil
      }
      return .fingerprint(String(digest))
    })

  private static let hostKey: Setting<SFTPConfiguration> = {
    let path = SettingForm<String>.path.secret
    return Setting([
      ConfigurationKey(
        "host_key", fingerprint.type, fingerprint.range,
        "the fingerprint of the host key that the server must have; or known_hosts"),
      ConfigurationKey(
        "known_hosts", path.type, path.range, isReserved: true,
        "the file with the server's host key in the format of OpenSSH; instead of host_key"),
    ]) { section, root in
      let key = section.value("host_key", fingerprint)
      let file = section.value("known_hosts", path)
      switch (section.has("host_key"), section.has("known_hosts")) {
      case (true, true): section.note("goes without \"host_key\"", at: "known_hosts")
      case (false, false):
        section.require("host_key", "the server's fingerprint, or the key \"known_hosts\"")
      default: break
      }
      if let key {
        root.hostKey = key
      } else if let file {
        root.hostKey = .knownHosts(path: file)
      }
    }
  }()

  /// The server.
  package var place: TargetPlace { .server(url: url, http: connection) }

  /// Makes the target; nothing is connected yet.
  package func makeTarget(
    name: String, bandwidth: BandwidthShare?, userAgent: String
  ) throws(DeliveryFailure) -> any UploadTarget {
    var configuration = self
    configuration.connection.bandwidth = bandwidth
    return try SFTPTarget(configuration)
  }
}
