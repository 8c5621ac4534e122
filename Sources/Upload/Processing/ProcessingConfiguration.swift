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
  package var form: Form
  /// The file with the bearer token (RFC 6750); `nil` for none.
  package var bearerToken: SecretFile?
  /// The timeout for the next event; comments are not events.
  package var stallTimeout: Duration
  /// The timeout for the endpoint's work, in addition to the time for the item's bytes.
  package var answerTimeout: Duration
  /// The connection settings, whose stall and answer timeouts are not used.
  package var http: HTTPSettings

  /// Makes a configuration; the default timeouts suit an endpoint that needs a minute for a page.
  package init(
    url: String, form: Form = .multipart, bearerToken: SecretFile? = nil,
    stallTimeout: Duration = .seconds(60), answerTimeout: Duration = .seconds(600),
    http: HTTPSettings = HTTPSettings()
  ) {
    self.url = url
    self.form = form
    self.bearerToken = bearerToken
    self.stallTimeout = stallTimeout
    self.answerTimeout = answerTimeout
    self.http = http
  }
}
