/// An HTTP client over libcurl: one connection, kept open between requests, one request at a time.
///
/// Requests of several tasks wait for each other; whoever needs two at once makes two clients. The
/// blocking work runs on a thread of the client's own. Cancelling the task that waits ends a
/// running transfer at once, with ``TransferError/Code/cancelled``.
public actor HTTPClient {
  /// Receives a piece of a body on the client's thread; the bytes are valid during the call only.
  ///
  /// Returning `false` ends the transfer, which then counts as complete.
  public typealias BodyReader = @Sendable (UnsafeRawBufferPointer) -> Bool

  /// A ``BodyReader`` that is also shown the head of the answer, for answers of several kinds.
  public typealias AnswerReader = @Sendable (HTTPResponse, UnsafeRawBufferPointer) -> Bool

  private let executor: TransferExecutor
  private let handles: CurlHandles
  private let userAgent: String
  private let authentication: AuthenticationMemory

  /// The executor of the client's own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes a client; nothing is connected yet.
  ///
  /// - Parameters:
  ///   - userAgent: the value of the `User-Agent` field, for example `platen/1.0`.
  ///   - authentication: what is known of servers, shared by clients that have the same ones.
  public init(
    userAgent: String, authentication: AuthenticationMemory = AuthenticationMemory()
  ) {
    self.authentication = authentication
    executor = TransferExecutor(label: "transfer")
    handles = CurlHandles()
    self.userAgent = userAgent
  }

  /// Sends a request and returns the whole answer, whatever its status.
  ///
  /// - Throws: ``TransferError`` when there is no complete answer; its cause is libcurl's.
  public func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
    try await transfer(request, onBody: nil)
  }

  /// Sends a request and passes on the body of the answer as it comes.
  ///
  /// Only the body of a success (2xx) goes to the closure. Any other body is an error text and is
  /// collected in the response, as ``send(_:)`` does it.
  ///
  /// - Throws: ``TransferError`` when there is no complete answer; its cause is libcurl's.
  public func send(
    _ request: HTTPRequest, onBody: @escaping BodyReader
  ) async throws(TransferError) -> HTTPResponse {
    try await transfer(request, onBody: { onBody($1) })
  }

  /// Sends a request and passes on the body of the answer as it comes, together with its head.
  ///
  /// Only the body of a success (2xx) goes to the closure, as with ``send(_:onBody:)``.
  ///
  /// - Throws: ``TransferError`` when there is no complete answer; its cause is libcurl's.
  public func send(
    _ request: HTTPRequest, onAnswer: @escaping AnswerReader
  ) async throws(TransferError) -> HTTPResponse {
    try await transfer(request, onBody: onAnswer)
  }

  /// Sends a request with the authentication that its server asks for.
  private func transfer(
    _ request: HTTPRequest, onBody: AnswerReader?
  ) async throws(TransferError) -> HTTPResponse {
    guard request.credentials != nil else { return try await exchange(request, nil, onBody) }
    var wish = authentication.wish(of: request.url)
    if wish == nil, request.body != .none {
      // Whether the server asks is found out without the body, which may be large.
      var question = request
      (question.method, question.body, question.headers) = ("OPTIONS", .none, [])
      let answer = try await exchange(question, nil, nil)
      wish = AuthenticationMemory.answer(to: answer, tried: nil).map { .scheme($0) }
      if let wish { authentication.note(wish, of: request.url) }
    }
    let scheme = wish?.scheme
    let response = try await exchange(request, scheme, onBody)
    guard let other = AuthenticationMemory.answer(to: response, tried: scheme) else {
      if response.status != 401 {
        authentication.note(scheme.map { .scheme($0) } ?? .nothing, of: request.url)
      }
      return response
    }
    authentication.note(.scheme(other), of: request.url)
    return try await exchange(request, other, onBody)
  }

  private func exchange(
    _ request: HTTPRequest, _ scheme: AuthenticationScheme?, _ onBody: AnswerReader?
  ) async throws(TransferError) -> HTTPResponse {
    let handles = handles
    let result: Result<HTTPResponse, TransferError> = await withTaskCancellationHandler {
      withBrokenPipeSignalBlocked {
        Result { () throws(TransferError) in
          try Exchange(request, userAgent: userAgent, scheme: scheme, onBody: onBody)
            .run(on: handles)
        }
      }
    } onCancel: {
      handles.wake()
    }
    return try result.get()
  }
}
