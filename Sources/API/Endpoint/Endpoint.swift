/// An operation of the API, declared once for the server, the client and the description.
package struct Endpoint<Input: EndpointInput, Answer: Codable & Sendable>: Sendable {
  /// The operation as the description has it.
  package let operation: Operation
  /// The moment by which an act must be entered into the audit log.
  let order: ActRecorder.Order
  /// Whether the work ends when the caller has gone or the service stops.
  let isCancellable: Bool
  /// The longest silence of the service that a client accepts; `nil` for the client's own limit.
  package let stallTimeout: Duration?
  /// Whether an answer is a refusal, which has the status 409 instead of 200; `nil` for never.
  let isRefusal: (@Sendable (Answer) -> Bool)?

  /// Declares an operation.
  ///
  /// - Parameters:
  ///   - id: The operation's name, which is unique.
  ///   - path: The path, in which `{name}` stands for a parameter of the input.
  ///   - permission: The permission that a caller needs; `nil` for unknown callers, too.
  ///   - summary: The operation in one sentence.
  ///   - failures: The errors beside those that every operation can have: a request that cannot be
  ///     understood, a caller without permission, too many requests, and of an act `unavailable`.
  init(
    _ id: String, _ method: Operation.Method, _ path: String, _ permission: Permission?,
    _ summary: String, failures: [APIError.Code] = [], entered order: ActRecorder.Order = .before,
    isCancellable: Bool = false, stallTimeout: Duration? = nil,
    isRefusal: (@Sendable (Answer) -> Bool)? = nil
  ) {
    operation = Operation(
      id: id, method: method, path: path, permission: permission, summary: summary,
      failures: failures, parameters: Input.parameters, body: Input.body,
      answer: .json(SchemaName.of(Answer.self)), statuses: isRefusal == nil ? [200] : [200, 409])
    self.order = order
    self.isCancellable = isCancellable
    self.stallTimeout = stallTimeout
    self.isRefusal = isRefusal
  }
}

/// The declarations of all operations.
package enum Operations {}

/// An operation without its types, for routes and for the description.
package struct Operation: Sendable {
  /// A method of HTTP.
  package enum Method: String, Sendable {
    /// The methods that the API uses.
    case get = "GET", post = "POST", patch = "PATCH", delete = "DELETE"
  }

  /// The form of an answer.
  package enum Answer: Sendable {
    /// A value in JSON, by the name of its schema.
    case json(String)
    /// Another media type.
    case media(String, String)
    /// No content.
    case empty
  }

  let id: String
  /// The method.
  package let method: Method
  /// The path, in which `{name}` stands for a parameter.
  package let path: String
  /// The permission that a caller needs; `nil` for an operation that takes unknown callers, too.
  let permission: Permission?
  let summary: String
  var failures: [APIError.Code] = []
  var parameters: [ParameterDescription] = []
  var body: BodyDescription?
  let answer: Answer
  /// The statuses of the answer.
  package var statuses: Set<Int> = [200]

  /// Whether a caller over the network may show a token as the password of Basic authentication.
  ///
  /// Players of the live picture know nothing else. A browser adds a password to the requests for
  /// all paths of a folder, so the folder decides.
  var takesPassword: Bool {
    method == .get && permission == .read && path.hasPrefix("/v1/preview/")
  }
}
