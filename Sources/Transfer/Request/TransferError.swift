/// The reason why a request got no answer, with the URL but without secrets.
package struct TransferError: Error, Hashable, CustomStringConvertible {
  /// The kind of failure; an open set, spelled as it appears in logs.
  package struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's spelling, in lower camel case.
    package let rawValue: String

    /// Makes a code from its spelling.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The URL is invalid, or its scheme is neither `http` nor `https`.
    package static let badURL = Code(rawValue: "badURL")
    /// The method or a field is not valid.
    package static let badRequest = Code(rawValue: "badRequest")
    /// The host's name has no address.
    package static let couldNotResolve = Code(rawValue: "couldNotResolve")
    /// No server listens at the address.
    package static let couldNotConnect = Code(rawValue: "couldNotConnect")
    /// A timeout expired: connecting, without progress, or in total.
    package static let timedOut = Code(rawValue: "timedOut")
    /// The TLS handshake failed, or the certificate cannot be trusted.
    package static let tls = Code(rawValue: "tls")
    /// The connection broke while the request was sent.
    package static let sendFailed = Code(rawValue: "sendFailed")
    /// The connection broke before the answer was complete.
    package static let receiveFailed = Code(rawValue: "receiveFailed")
    /// The answer is not HTTP.
    package static let malformedResponse = Code(rawValue: "malformedResponse")
    /// The answer is larger than the request allows.
    package static let responseTooLarge = Code(rawValue: "responseTooLarge")
    /// The status is not a success, although only a success has a meaning here.
    package static let unexpectedStatus = Code(rawValue: "unexpectedStatus")
    /// The body's file cannot be read to its end.
    package static let fileUnreadable = Code(rawValue: "fileUnreadable")
    /// This process or the machine lacks descriptors or memory.
    package static let shortOfResources = Code(rawValue: "shortOfResources")
    /// The reader of a stream was too slow.
    package static let readerTooSlow = Code(rawValue: "readerTooSlow")
    /// The task was cancelled.
    package static let cancelled = Code(rawValue: "cancelled")
    /// Another failure of libcurl occurred; the cause describes the failure.
    package static let failed = Code(rawValue: "failed")
  }

  /// The kind of failure.
  package let code: Code
  /// The request's method.
  package let method: String
  /// The request's URL without user, password, query and fragment.
  package let url: String
  /// The problem, a clause without the URL and the cause, for example `could not connect`.
  package let problem: String
  /// The status of the answer, if there was one.
  package let status: Int?
  /// The cause in words, from libcurl or the system.
  package let cause: String?

  /// Creates an error; removes secrets from the URL.
  package init(
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

  /// A sentence with the quoted request, the problem and the cause.
  package var description: String {
    "\"\(method) \(url)\" \(problem)" + (cause.map { ": \($0)" } ?? "")
  }
}
