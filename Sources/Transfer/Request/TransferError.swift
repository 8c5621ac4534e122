/// Why a request got no answer, with the URL and without any secret in it.
public struct TransferError: Error, Hashable, CustomStringConvertible {
  /// The kind of failure; an open set, spelled as it appears in logs.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's spelling, in lower camel case.
    public let rawValue: String

    /// Makes a code from its spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The URL is none, or its scheme is neither `http` nor `https`.
    public static let badURL = Code(rawValue: "badURL")
    /// The method or a field cannot be sent as it stands.
    public static let badRequest = Code(rawValue: "badRequest")
    /// The host's name has no address.
    public static let couldNotResolve = Code(rawValue: "couldNotResolve")
    /// Nobody listens there.
    public static let couldNotConnect = Code(rawValue: "couldNotConnect")
    /// A limit of time has passed: connecting, without progress, or in total.
    public static let timedOut = Code(rawValue: "timedOut")
    /// The TLS handshake failed, or the certificate is not to be trusted.
    public static let tls = Code(rawValue: "tls")
    /// The connection broke while the request was sent.
    public static let sendFailed = Code(rawValue: "sendFailed")
    /// The connection broke before the answer was complete.
    public static let receiveFailed = Code(rawValue: "receiveFailed")
    /// What came back is not HTTP.
    public static let malformedResponse = Code(rawValue: "malformedResponse")
    /// The answer is larger than the request allows.
    public static let responseTooLarge = Code(rawValue: "responseTooLarge")
    /// The answer's status is not a success, where only a success has a meaning.
    public static let unexpectedStatus = Code(rawValue: "unexpectedStatus")
    /// The file that is the body cannot be read to its end.
    public static let fileUnreadable = Code(rawValue: "fileUnreadable")
    /// The reader of a stream did not keep up with it.
    public static let readerTooSlow = Code(rawValue: "readerTooSlow")
    /// The task was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// libcurl failed in another way; the cause says how.
    public static let failed = Code(rawValue: "failed")
  }

  /// The kind of failure.
  public let code: Code
  /// The request's method.
  public let method: String
  /// The request's URL without user, password, query and fragment.
  public let url: String
  /// What went wrong, a clause without the URL and the cause, for example `could not connect`.
  public let problem: String
  /// The status of the answer when there was one.
  public let status: Int?
  /// The cause in words: libcurl's message or the system's.
  public let cause: String?

  /// Makes an error; secrets in the URL are left out of it.
  public init(
    _ code: Code, method: String, url: String, problem: String, status: Int? = nil,
    cause: String? = nil
  ) {
    self.code = code
    self.method = method
    self.url = redactedURL(url)
    self.problem = problem
    self.status = status
    self.cause = cause
  }

  /// One sentence: the request quoted, the problem, the cause last.
  public var description: String {
    "\"\(method) \(url)\" \(problem)" + (cause.map { ": \($0)" } ?? "")
  }
}
