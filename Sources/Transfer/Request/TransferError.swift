/// The reason why a request got no answer, with the URL but without secrets.
package struct TransferError: Error, Hashable, CustomStringConvertible {
  /// The kind of failure, spelled as it appears in logs.
  package enum Code: String, Sendable {
    /// The URL is invalid, or its scheme is neither `http` nor `https`.
    case badURL
    /// The method or a field is not valid.
    case badRequest
    /// The host's name has no address.
    case couldNotResolve
    /// No server listens at the address.
    case couldNotConnect
    /// A timeout expired: connecting, without progress, or in total.
    case timedOut
    /// The TLS handshake failed, or the certificate cannot be trusted.
    case tls
    /// The connection broke while the request was sent.
    case sendFailed
    /// The connection broke before the answer was complete.
    case receiveFailed
    /// The answer is not HTTP.
    case malformedResponse
    /// The answer is larger than the request allows.
    case responseTooLarge
    /// The status is not a success, although only a success has a meaning here.
    case unexpectedStatus
    /// The body's file cannot be read to its end.
    case fileUnreadable
    /// This process or the machine lacks descriptors or memory.
    case shortOfResources
    /// The reader of a stream was too slow.
    case readerTooSlow
    /// The task was canceled.
    case cancelled
    /// The SFTP server's host key is not the accepted one.
    case hostKey
    /// The SFTP server refuses the user, the key or the password.
    case loginDenied
    /// The path does not exist at the SFTP server.
    case noSuchFile
    /// The user lacks a permission for the path at the SFTP server.
    case accessDenied
    /// The SFTP server's file system has no space.
    case noSpace
    /// The SFTP server refuses without a reason (`SSH_FX_FAILURE`), for example a name in use.
    case commandRefused
    /// Another failure of libcurl occurred; the cause describes the failure.
    case failed
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
