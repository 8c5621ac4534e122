package import Settings
import Transfer

/// A kind of upload target that is reached over HTTP.
package protocol HTTPTargetKind: TargetKind {
  /// The target's URL: `http` or `https`, without user, password, query and fragment.
  var url: String { get set }
  /// The connection settings and timeouts.
  var http: HTTPSettings { get set }
  /// The problem that prevents making a target of these settings; `nil` when there is none.
  var problem: TargetProblem? { get }
}

extension HTTPTargetKind {
  /// The server.
  package var place: TargetPlace { .server(url: url, http: http) }

  /// The problem of a URL that names of items cannot be relative to; `nil` when there is none.
  package var problem: TargetProblem? {
    CollectionURL(url) == nil ? TargetProblem(part: .url, cause: TargetProblem.usableURL) : nil
  }

  /// Refuses settings of the connection that do not agree.
  package mutating func agree(in section: SettingsSection) { checkConnection(in: section) }

  /// Refuses settings of the connection that do not agree.
  func checkConnection(in section: SettingsSection) {
    if section.has("client_key"), !section.has("client_certificate") {
      section.note("goes with \"client_certificate\"", at: "client_key")
    }
    // A missing or refused URL has its issue already.
    guard !url.isEmpty else { return }
    if !url.lowercased().hasPrefix("https:") {
      for key in HTTPSettings.keysOfTLS where section.has(key) {
        section.note("needs https, and \"url\" is without", at: key)
      }
    }
    if let problem, section.has(problem.part.rawValue) {
      section.note("cannot be used: \(problem.cause)", at: problem.part.rawValue)
    }
  }

  /// Returns the same settings with the values of a running service.
  func equipped(_ bandwidth: BandwidthShare?, _ userAgent: String) -> Self {
    var kind = self
    kind.http.bandwidth = bandwidth
    kind.http.userAgent = userAgent
    return kind
  }
}

extension Setting where Root: HTTPTargetKind {
  /// The setting of the URL, which must hold no credentials.
  static var url: Setting {
    let key = ConfigurationKey(
      "url", "URL", "http or https, without user and password", default: "required",
      "the address that pictures are sent to")
    return Setting([key]) { section, root in
      let expected = "an http or https URL"
      section.require("url", expected)
      // A value with a password must not be quoted.
      let form = SettingForm<String>.text(expected).secret
      guard let text = section.value("url", form) else { return }
      guard !text.contains("@") else {
        section.note("must hold no credentials; there are keys of their own for them", at: "url")
        return
      }
      let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, ["http:", "https:"].contains(parts[0].lowercased()),
        parts[1].isEmpty, !parts[2].isEmpty
      else {
        section.note("expected \(expected), found \"\(redactedURL(text).prefix(60))\"", at: "url")
        return
      }
      root.url = text
    }
  }

  /// Returns the setting of a user and a password, both or none.
  ///
  /// - Parameter take: takes the credentials.
  static func login(
    take: @escaping @Sendable (TargetCredentials, inout Root) -> Void
  ) -> Setting {
    let name = SettingForm<String>.userName
    let secret = SettingForm<SecretFile>.secretFile
    let keys = [
      ConfigurationKey("user", name.type, name.range, "the user's name"),
      ConfigurationKey(
        "password_file", secret.type, secret.range, isReserved: true,
        "the file with the password; over HTTP for Digest or Basic as the server asks"),
    ]
    return Setting(keys) { section, root in
      let user = section.value("user", name)
      let password = section.value("password_file", secret)
      if section.has("user") != section.has("password_file") {
        section.note(
          "goes with \"\(section.has("user") ? "password_file" : "user")\"; both or none",
          at: section.has("user") ? "user" : "password_file")
      }
      guard let user, let password else { return }
      take(TargetCredentials(user: user, password: password), &root)
    }
  }
}
