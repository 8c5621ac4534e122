/// The reason why the API did not fulfill a request: the value under the key `error`.
package struct APIError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The kind of error; an open set, spelled as it appears in answers.
  package struct Code: RawRepresentable, Sendable, Hashable, Codable {
    /// The code's spelling, in lower camel case.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The request cannot be understood, or asks for something impossible (400).
    package static let invalidRequest = Code(rawValue: "invalidRequest")
    /// The caller is unknown; `WWW-Authenticate` says how to authenticate (401).
    package static let unauthenticated = Code(rawValue: "unauthenticated")
    /// The caller lacks the permission for the request (403).
    package static let forbidden = Code(rawValue: "forbidden")
    /// The requested object does not exist (404).
    package static let notFound = Code(rawValue: "notFound")
    /// The path exists, but does not take the method (405).
    package static let methodNotAllowed = Code(rawValue: "methodNotAllowed")
    /// The request's body is too large (413).
    package static let requestTooLarge = Code(rawValue: "requestTooLarge")
    /// The caller asks too often; `Retry-After` says when to retry (429).
    package static let tooManyRequests = Code(rawValue: "tooManyRequests")
    /// The service itself failed; the log says how (500).
    package static let internalError = Code(rawValue: "internalError")
    /// The part that was asked is starting, stopping or broken; a later retry may help (503).
    package static let unavailable = Code(rawValue: "unavailable")
    /// The allowed number of listeners is reached already (503).
    package static let tooManyListeners = Code(rawValue: "tooManyListeners")
    /// The board is not simulated, so that there is no simulation to act on (404).
    package static let notSimulated = Code(rawValue: "notSimulated")
    /// The device does not support the request (409).
    package static let unsupported = Code(rawValue: "unsupported")
    /// The state of the object does not allow the request (409).
    package static let conflict = Code(rawValue: "conflict")
    /// The device did not fulfill the request in time (504).
    package static let timedOut = Code(rawValue: "timedOut")
    /// The change is not possible, and the session goes on unchanged (409).
    package static let configurationRefused = Code(rawValue: "configurationRefused")
    /// The change failed, and the session runs with its old configuration again (409).
    package static let configurationRolledBack = Code(rawValue: "configurationRolledBack")
    /// The change failed and the camera does not stream (503).
    ///
    /// The session retries with its old configuration.
    package static let configurationInterrupted = Code(rawValue: "configurationInterrupted")
    /// The configuration file is not the one that the change was meant for (409).
    package static let configurationChanged = Code(rawValue: "configurationChanged")
  }

  /// The kind of error.
  package let code: Code
  /// A sentence for people, with the object in quotes and the cause last.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message with its code.
  package var description: String { "\(message) (\(code.rawValue))" }

  /// The HTTP status that goes with the code; 500 for a code that is not listed here.
  package var status: Int {
    switch code {
    case .invalidRequest: 400
    case .unauthenticated: 401
    case .forbidden: 403
    case .notFound, .notSimulated: 404
    case .methodNotAllowed: 405
    case .unsupported, .conflict, .configurationRefused, .configurationRolledBack,
      .configurationChanged:
      409
    case .requestTooLarge: 413
    case .tooManyRequests: 429
    case .unavailable, .tooManyListeners, .configurationInterrupted: 503
    case .timedOut: 504
    default: 500
    }
  }
}

/// The body of every answer that is an error: `{"error": {"code": …, "message": …}}`.
package struct ErrorEnvelope: Sendable, Hashable, Codable {
  /// The error.
  package let error: APIError

  /// Wraps an error.
  package init(_ error: APIError) {
    self.error = error
  }
}
