/// Where and how a ``ProcessingTarget`` delivers.
public struct ProcessingConfiguration: Sendable {
  /// How an item is carried.
  public enum Form: String, Sendable, Hashable, CaseIterable {
    /// The item is the body; what is known of it are fields `Platen-Meta-<name>`.
    case raw
    /// `multipart/form-data` (RFC 7578): a field for each thing that is known, `sha256`, and the
    /// item as `file`.
    case multipart
  }

  /// The endpoint's URL: `http` or `https`, without user, password, query and fragment.
  public var url: String
  /// How an item is carried.
  public var form: Form
  /// The file with the bearer token (RFC 6750); `nil` for none.
  public var bearerToken: SecretFile?
  /// The longest time without an event; comments are none.
  public var stallTimeout: Duration
  /// The longest time for the endpoint's work, beside the time for the item's bytes.
  public var answerTimeout: Duration
  /// Connections; its times of stall and answer are not used.
  public var http: HTTPSettings

  /// Makes a configuration; the times suit an endpoint that needs a minute for a page.
  public init(
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
