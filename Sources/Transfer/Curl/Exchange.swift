import CCurl

/// A request and its answer during the transfer; used on the client's thread only.
final class Exchange {
  let request: HTTPRequest
  /// The response as collected by the callbacks.
  var collector: ResponseCollector
  /// The request's body.
  var body: BodySequence
  /// The reason why a callback stopped the transfer.
  var refusal: ResponseCollector.Refusal?
  /// The time of the body's first received bytes, for the request's speed limit.
  var receiveStart: ContinuousClock.Instant?
  var receivedCount: Int64 = 0
  /// Whether a callback stopped the transfer because the task was canceled.
  var isCancelled = false
  /// The reason why the body cannot be read to its end.
  var readFailure: ReadFailure?

  /// The value of the `User-Agent` field.
  let userAgent: String
  /// The scheme for sending the request's credentials; `nil` to send none.
  let scheme: AuthenticationScheme?
  /// Whether a large body waits until the server is willing to take it (`Expect: 100-continue`).
  let announcesBody: Bool
  /// The fields in libcurl's format.
  var fields: UnsafeMutablePointer<curl_slist>?
  /// The buffer for libcurl's error message.
  let message = ErrorText()

  /// Opens a request's body and checks the method and the fields.
  ///
  /// - Throws: ``TransferError`` with `badRequest`, `fileUnreadable` or `shortOfResources`.
  init(
    _ request: HTTPRequest, userAgent: String, scheme: AuthenticationScheme? = nil,
    announcesBody: Bool = true, onBody: HTTPClient.AnswerReader?
  ) throws(TransferError) {
    guard !request.method.isEmpty, request.method.utf8.allSatisfy(HTTPHeader.isTokenByte) else {
      throw TransferError(
        .badRequest, method: "?", url: request.url, problem: "has a method that is no token")
    }
    if let header = request.headers.first(where: { !$0.isWellFormed }) {
      throw TransferError(
        .badRequest, method: request.method, url: request.url,
        problem: "has a field that cannot be sent",
        cause: header.name.utf8.allSatisfy(HTTPHeader.isTokenByte)
          ? "the value of \"\(header.name)\" has control characters" : "its name is no token")
    }
    do {
      body = try BodySequence(request.body)
    } catch {
      throw TransferError(
        error.code, method: request.method, url: request.url,
        problem: "cannot send the file \"\(error.path ?? "")\"", cause: error.cause)
    }
    self.request = request
    self.userAgent = userAgent
    self.scheme = scheme
    self.announcesBody = announcesBody
    collector = ResponseCollector(
      maximumBodyBytes: request.maximumResponseBytes, reader: onBody)
  }

  deinit {
    curl_slist_free_all(fields)
  }

  /// Runs the exchange to its end.
  ///
  /// - Throws: ``TransferError``.
  func run(on handles: CurlHandles) throws(TransferError) -> HTTPResponse {
    // libcurl has pointers to this object and to its message until the handle is freed.
    defer { withExtendedLifetime(self) {} }
    return try handles.lend { (easy, multi) throws(TransferError) in
      try configure(easy)
      let loop = TransferLoop(
        stallTimeout: request.stallTimeout, totalTimeout: request.totalTimeout)
      let result: CURLcode
      do throws(TransferLoop.Interruption) {
        result = try loop.run(easy, multi)
      } catch {
        throw failure(error.code, error.problem, cause: error.cause)
      }
      return try answer(result)
    }
  }

  /// Returns the answer, or throws the error that libcurl reports.
  private func answer(_ result: CURLcode) throws(TransferError) -> HTTPResponse {
    guard !isCancelled else {
      throw failure(.cancelled, "was canceled", cause: nil)
    }
    if let readFailure {
      throw failure(readFailure.code, "cannot read its body", cause: readFailure.cause)
    }
    switch refusal {
    case .headTooLarge:
      throw failure(
        .responseTooLarge, "was answered at too great length",
        cause: "the head is over \(ResponseCollector.maximumHeadBytes) bytes")
    case .bodyTooLarge:
      throw failure(
        .responseTooLarge, "was answered at too great length",
        cause: "the body is over \(request.maximumResponseBytes) bytes")
    case .readerIsDone:
      return collector.response
    case nil:
      break
    }
    guard result == CURLE_OK else { throw failure(of: result) }
    return collector.response
  }

  /// Returns an error about this exchange.
  func failure(_ code: TransferError.Code, _ problem: String, cause: String?) -> TransferError {
    TransferError(
      code, method: request.method, url: request.url, problem: problem,
      status: collector.response.status == 0 ? nil : collector.response.status, cause: cause)
  }

  /// Returns the error for a result of libcurl.
  func failure(of result: CURLcode) -> TransferError {
    let kind = TransferFailureKind(result, detail: message.text)
    return failure(kind.code, kind.problem, cause: message.cause(of: result))
  }

  /// Throws an error when libcurl refuses an option.
  func check(_ result: CURLcode) throws(TransferError) {
    guard result == CURLE_OK else { throw failure(of: result) }
  }
}

/// The buffer of `CURLOPT_ERRORBUFFER`, freed with its last reference.
final class ErrorText {
  /// The address for libcurl.
  let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  init() { buffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE)) }

  deinit { buffer.deallocate() }

  /// The message from libcurl; empty if there is none.
  var text: String { String(cString: buffer) }

  /// Returns the message from libcurl, or its general text for a result.
  func cause(of result: CURLcode) -> String {
    text.isEmpty ? String(cString: curl_easy_strerror(result)) : text
  }
}
