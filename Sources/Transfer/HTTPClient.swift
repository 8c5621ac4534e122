package import Devices

/// An HTTP client over libcurl with one kept connection and one request at a time.
///
/// Requests of several tasks wait for each other; two simultaneous requests need two clients. The
/// blocking work runs on the client's own thread. Canceling the waiting task ends a running
/// transfer at once, with ``TransferError/Code/cancelled``.
package actor HTTPClient: TransferClient {
  /// A function that takes a piece of a body on the client's thread.
  ///
  /// The bytes are valid during the call only. Returning `false` ends the transfer, which then
  /// counts as complete.
  package typealias BodyReader = @Sendable (UnsafeRawBufferPointer) -> Bool

  /// A ``BodyReader`` that also receives the head of the answer, for answers of several kinds.
  package typealias AnswerReader = @Sendable (HTTPResponse, UnsafeRawBufferPointer) -> Bool

  /// The preference of tasks that run on the client's own thread beside its requests.
  package nonisolated let tasks: ActorTasks
  private let executor: DispatchQueueExecutor
  private let handles: CurlHandles
  private let userAgent: String
  private let authentication: AuthenticationMemory
  /// Whether the server has taken the last body, and is expected to take the next one at once.
  private var isBodyWelcome = false

  /// The executor of the client's own thread.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Creates a client without connecting.
  ///
  /// - Parameters:
  ///   - userAgent: the value of the `User-Agent` field, for example `platen/1.0`.
  ///   - authentication: the known schemes of servers, shared by clients of the same servers.
  package init(
    userAgent: String, authentication: AuthenticationMemory = AuthenticationMemory()
  ) {
    self.authentication = authentication
    executor = DispatchQueueExecutor(label: "transfer")
    tasks = ActorTasks(on: executor, runsOnLentThreads: false)
    handles = CurlHandles()
    self.userAgent = userAgent
  }

  /// Sends a request and returns the whole answer, whatever its status.
  ///
  /// - Throws: ``TransferError`` when there is no complete answer; its cause is libcurl's.
  package func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
    try await transfer(request, onBody: nil)
  }

  /// Sends a request and passes on the body of the answer as it arrives.
  ///
  /// Only the body of a success (2xx) goes to the closure. Any other body is an error text, which
  /// the response holds, as with ``send(_:)``.
  ///
  /// - Throws: ``TransferError`` when there is no complete answer; its cause is libcurl's.
  package func send(
    _ request: HTTPRequest, onBody: @escaping BodyReader
  ) async throws(TransferError) -> HTTPResponse {
    try await transfer(request, onBody: { onBody($1) })
  }

  /// Sends a request and passes on the body of the answer with its head as the body arrives.
  ///
  /// Only the body of a success (2xx) goes to the closure, as with ``send(_:onBody:)``.
  ///
  /// - Throws: ``TransferError`` when there is no complete answer; its cause is libcurl's.
  package func send(
    _ request: HTTPRequest, onAnswer: @escaping AnswerReader
  ) async throws(TransferError) -> HTTPResponse {
    try await transfer(request, onBody: onAnswer)
  }

  /// Sends a request with the authentication that its server requires.
  private func transfer(
    _ request: HTTPRequest, onBody: AnswerReader?
  ) async throws(TransferError) -> HTTPResponse {
    guard request.credentials != nil else { return try await exchange(request, nil, onBody) }
    var wish = authentication.wish(of: request.url)
    if wish == nil, request.body != .none {
      // A request without the body, which may be large, finds out whether the server requires a
      // scheme.
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
    // The announcement of a body costs a round trip, and spares a refused body.
    let announcesBody = !isBodyWelcome
    let result: Result<HTTPResponse, TransferError> = await withTaskCancellationHandler {
      withBrokenPipeSignalBlocked {
        Result { () throws(TransferError) in
          try Exchange(
            request, userAgent: userAgent, scheme: scheme, announcesBody: announcesBody,
            onBody: onBody
          ).run(on: handles)
        }
      }
    } onCancel: {
      handles.wake()
    }
    if request.body != .none {
      isBodyWelcome = if case .success(let response) = result { response.isSuccess } else { false }
    }
    return try result.get()
  }
}
