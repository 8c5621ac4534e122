package import Settings

/// The kinds of upload targets that a configuration may have.
package enum TargetKinds {
  /// The kinds by their words in the file; a new kind needs its folder, a line here and its
  /// questions in `SetupAnswers`.
  package static let all: [SettingsVariant<any TargetKind>] = [
    SettingsVariant("webdav", "a WebDAV collection (RFC 4918)", WebDAVConfiguration()) { $0 },
    SettingsVariant(
      "put", "a server for HTTP PUT without WebDAV", WebDAVConfiguration.put,
      settings: WebDAVConfiguration.settingsOfPut
    ) { $0 },
    SettingsVariant(
      "s3", "a bucket of Amazon S3 or of a compatible server", S3Configuration()
    ) { $0 },
    SettingsVariant("tus", "an endpoint for resumable uploads (tus 1.0)", TusConfiguration()) {
      $0
    },
    SettingsVariant(
      "processing", "an endpoint that answers with a result", ProcessingConfiguration()
    ) { $0 },
    SettingsVariant("sftp", "a directory of a server with SSH", SFTPConfiguration()) { $0 },
    SettingsVariant(
      "directory", "a directory or a removable drive", DirectoryConfiguration()
    ) { $0 },
  ]
}
