package import Settings

/// The settings of a ``TusTarget``.
package struct TusConfiguration: Sendable {
  /// The way in which a server learns the name of an item.
  package enum Naming: String, Sendable, Hashable, CaseIterable {
    /// The name is in `Upload-Metadata`, as in the protocol; all uploads are made at one URL.
    case metadata
    /// The name is in the URL that the upload is made at, as SeaweedFS requires.
    case path
  }

  /// The proof of our identity.
  package enum Authorization: Sendable, Hashable {
    /// A user and a password, by Digest or Basic as the server asks.
    case basic(TargetCredentials)
    /// A token in a file, `Authorization: Bearer`.
    case bearer(SecretFile)
  }

  /// The URL that uploads are made at.
  ///
  /// The URL is `http` or `https`, without user, password, query and fragment.
  package var url: String
  /// The way in which the server learns the name of an item.
  package var naming = Naming.metadata
  /// The proof of our identity; `nil` for servers that do not ask.
  package var authorization: Authorization?
  /// The maximum number of bytes of one request, 1 or more.
  ///
  /// A server may keep none of the bytes of an interrupted request.
  package var patchByteCount: Int64 = 8 << 20
  /// The connection settings and timeouts.
  package var http = HTTPSettings()
}

extension TusConfiguration: HTTPTargetKind {
  /// Makes the defaults, without the URL.
  package init() { self.init(url: "") }

  private static let own: [Setting<TusConfiguration>] = [
    .url, .login { credentials, root in root.authorization = .basic(credentials) },
    Setting(
      \.authorization, "token_file",
      SettingForm<SecretFile>.secretFile.map(
        { TusConfiguration.Authorization.bearer($0) }, text: { _ in "none" }),
      "the file with the bearer token"),
    Setting(
      \.naming, "naming", .word,
      "the place of a picture's name: the metadata of the upload, or the path of its URL"),
  ]

  /// The settings of `kind: tus`.
  package static let settings: [Setting<TusConfiguration>] =
    own + HTTPSettings.settings.map { $0.at(\TusConfiguration.http) }

  /// The problem that prevents making a target of these settings; `nil` when there is none.
  package var problem: TargetProblem? {
    guard let endpoint = OriginURL(url), !endpoint.target.contains("?") else {
      return TargetProblem(part: .url, cause: TargetProblem.usableURL)
    }
    return nil
  }

  /// Refuses a token beside a user, and settings of the connection that do not agree.
  package func agree(in section: SettingsSection) {
    if section.has("token_file"), section.has("user") {
      section.note("excludes \"user\"", at: "token_file")
    }
    checkConnection(in: section)
  }

  /// Makes the target; nothing is connected yet.
  package func makeTarget(
    name: String, bandwidth: BandwidthShare?, userAgent: String
  ) throws(DeliveryFailure) -> any UploadTarget {
    try TusTarget(equipped(bandwidth, userAgent))
  }
}
