package import Settings

/// The settings of a ``ProcessingTarget``.
package struct ProcessingConfiguration: Sendable {
  /// The form of the request that carries an item.
  package enum Form: String, Sendable, Hashable, CaseIterable {
    /// The item is the body, and its metadata are fields `Platen-Meta-<name>`.
    case raw
    /// `multipart/form-data` (RFC 7578): fields for the metadata, `sha256`, and the item as `file`.
    case multipart
  }

  /// The endpoint's URL: `http` or `https`, without user, password, query and fragment.
  package var url: String
  /// The form of the request that carries an item.
  package var form = Form.raw
  /// The file with the bearer token (RFC 6750); `nil` for none.
  package var bearerToken: SecretFile?
  /// The connection settings and timeouts.
  ///
  /// The stall timeout is that for the next event, and comments are not events. The answer timeout
  /// includes the endpoint's work.
  package var http = HTTPSettings()
}

extension ProcessingConfiguration: HTTPTargetKind {
  /// Makes the defaults, without the URL.
  package init() { self.init(url: "") }

  private static let own: [Setting<ProcessingConfiguration>] = [
    .url,
    Setting(\.bearerToken, "token_file", .secretFile, "the file with the bearer token"),
    Setting(
      \.form, "body", .word,
      "the body of a request: the bare picture, or a form with the picture as a file"),
  ]

  /// The settings of `kind: processing`.
  package static let settings: [Setting<ProcessingConfiguration>] =
    own + HTTPSettings.settings.map { $0.at(\ProcessingConfiguration.http) }

  /// Makes the target; nothing is connected yet.
  package func makeTarget(
    name: String, bandwidth: BandwidthShare?, userAgent: String
  ) throws(DeliveryFailure) -> any UploadTarget {
    try ProcessingTarget(equipped(bandwidth, userAgent))
  }
}
