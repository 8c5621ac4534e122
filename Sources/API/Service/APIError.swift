/// Why the API did not do what was asked: what a client reads under the key `error`.
public struct APIError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The kind of error; an open set, spelled as it appears in answers.
  public struct Code: RawRepresentable, Sendable, Hashable, Codable {
    /// The code's spelling, in lower camel case.
    public let rawValue: String

    /// Makes a code from its spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The request cannot be understood, or asks for something impossible (400).
    public static let invalidRequest = Code(rawValue: "invalidRequest")
    /// Who calls is not known; `WWW-Authenticate` says how to become it (401).
    public static let unauthenticated = Code(rawValue: "unauthenticated")
    /// The caller may not do this (403).
    public static let forbidden = Code(rawValue: "forbidden")
    /// There is no such thing (404).
    public static let notFound = Code(rawValue: "notFound")
    /// The thing is there, but this cannot be done to it (405).
    public static let methodNotAllowed = Code(rawValue: "methodNotAllowed")
    /// The request's body is too large (413).
    public static let requestTooLarge = Code(rawValue: "requestTooLarge")
    /// The caller asks too often; `Retry-After` says when to try again (429).
    public static let tooManyRequests = Code(rawValue: "tooManyRequests")
    /// The service itself failed; the log says how (500).
    public static let internalError = Code(rawValue: "internalError")
    /// The part that was asked is starting, stopping or broken; trying again later may help (503).
    public static let unavailable = Code(rawValue: "unavailable")
    /// As many listeners as are allowed receive events already (503).
    public static let tooManyListeners = Code(rawValue: "tooManyListeners")
    /// The board is not simulated, so that there is nothing to simulate with (404).
    public static let notSimulated = Code(rawValue: "notSimulated")
    /// The device cannot do this (409).
    public static let unsupported = Code(rawValue: "unsupported")
    /// The thing is not in a state in which this can be done (409).
    public static let conflict = Code(rawValue: "conflict")
    /// The device did not do this in time (504).
    public static let timedOut = Code(rawValue: "timedOut")
    /// The session was not changed and did not stop: the change is not possible (409).
    public static let configurationRefused = Code(rawValue: "configurationRefused")
    /// The change failed when it was applied; the session runs with its old configuration
    /// again (409).
    public static let configurationRolledBack = Code(rawValue: "configurationRolledBack")
    /// The change failed and the camera does not stream; the session goes on trying with its old
    /// configuration (503).
    public static let configurationInterrupted = Code(rawValue: "configurationInterrupted")
    /// The configuration file is not the one that the change was meant for (409).
    public static let configurationChanged = Code(rawValue: "configurationChanged")
  }

  /// The kind of error.
  public let code: Code
  /// One sentence for people: the object quoted, the cause last.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message with its code.
  public var description: String { "\(message) (\(code.rawValue))" }

  /// The HTTP status that goes with the code; 500 for a code that is not listed here.
  public var status: Int {
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
public struct ErrorEnvelope: Sendable, Hashable, Codable {
  /// The error.
  public let error: APIError

  /// Wraps an error.
  public init(_ error: APIError) {
    self.error = error
  }
}
