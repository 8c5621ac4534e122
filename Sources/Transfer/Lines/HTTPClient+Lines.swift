import Synchronization

extension HTTPClient {
  /// Sends a request and returns the lines of the answer's body as they arrive.
  ///
  /// The function is made for server-sent events: empty lines are kept, and line terminators are
  /// removed. The client is occupied until the stream ends; a reader that stops cancels the
  /// transfer. The stream ends with a ``TransferError`` in these cases:
  ///
  /// - `unexpectedStatus`: the answer is not a success.
  /// - `readerTooSlow`: more than 4096 lines wait.
  /// - `responseTooLarge`: a line is longer than 1 MiB.
  package nonisolated func lines(
    of request: HTTPRequest
  ) -> AsyncThrowingStream<String, any Error> {
    let (lines, continuation) = AsyncThrowingStream.makeStream(
      of: String.self, throwing: (any Error).self, bufferingPolicy: .bufferingOldest(4096))
    let relay = LineRelay(continuation)
    let task = Task {
      do {
        let response = try await send(request) { relay.take($0) }
        relay.finish(request, response)
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return lines
  }
}

/// A relay of lines from a transfer's thread to a stream.
private final class LineRelay: Sendable {
  private enum Problem { case tooSlow, tooLong }
  private struct State {
    var splitter = LineSplitter()
    var problem: Problem?
  }

  private let continuation: AsyncThrowingStream<String, any Error>.Continuation
  private let state = Mutex(State())

  init(_ continuation: AsyncThrowingStream<String, any Error>.Continuation) {
    self.continuation = continuation
  }

  /// Takes a piece of the body; `false` ends the transfer.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var complete: [String] = []
    let isTooLong = state.withLock { state in
      do {
        try state.splitter.add(bytes) { complete.append($0) }
        return false
      } catch {
        state.problem = .tooLong
        return true
      }
    }
    for line in complete {
      switch continuation.yield(line) {
      case .enqueued: break
      case .dropped:
        state.withLock { $0.problem = .tooSlow }
        return false
      default: return false
      }
    }
    return !isTooLong
  }

  /// Ends the stream after the transfer has ended.
  func finish(_ request: HTTPRequest, _ response: HTTPResponse) {
    let (problem, rest) = state.withLock { ($0.problem, $0.splitter.finish()) }
    let fail = { (code: TransferError.Code, problem: String, cause: String?) in
      self.continuation.finish(
        throwing: TransferError(
          code, method: request.method, url: request.url, problem: problem,
          status: response.status, cause: cause))
    }
    switch problem {
    case .tooSlow: fail(.readerTooSlow, "was ended", "4096 lines wait to be read")
    case .tooLong: fail(.responseTooLarge, "was ended", "a line is too long")
    case nil where !response.isSuccess:
      let text = String(response.text.prefix(500))
      fail(.unexpectedStatus, "was refused with \(response.status)", text.isEmpty ? nil : text)
    case nil:
      if let rest { continuation.yield(rest) }
      continuation.finish()
    }
  }
}
