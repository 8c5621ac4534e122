import Hummingbird
import NIOCore
import NIOHTTPTypes
import ServiceLifecycle

/// The bodies of requests.
extension APIRoutes {
  /// Returns the whole body; closes a connection that still sends one when the service stops.
  ///
  /// - Throws: ``APIError``: `requestTooLarge`, or `invalidRequest` for a malformed or incomplete
  ///   body; `CancellationError`.
  func body(of request: Request, _ context: APIContext) async throws -> [UInt8] {
    try await goAhead(request, context)
    return try await collect(request.body, context)
  }

  /// Collects a body; see ``body(of:_:)``.
  func collect(_ body: RequestBody, _ context: APIContext) async throws -> [UInt8] {
    let channel = context.channel
    do {
      let buffer = try await withGracefulShutdownHandler {
        try await body.collect(upTo: maximumBodyBytes)
      } onGracefulShutdown: {
        channel.close(promise: nil)
      }
      return Array(buffer: buffer)
    } catch is NIOTooManyBytesError {
      // The rest is read and dropped so that the client sees the answer, but only for a while.
      channel.close(after: .seconds(2))
      throw APIError(
        .requestTooLarge, "The request's body is longer than \(maximumBodyBytes) bytes.")
    } catch let error as CancellationError {
      throw error
    } catch {
      throw unreadableBody(context)
    }
  }

  /// Returns the error for a malformed or incomplete body.
  func unreadableBody(_ context: APIContext) -> APIError {
    // The end of the body, and so the begin of another request, is unknown then.
    context.channel.close(after: .seconds(2))
    return APIError(.invalidRequest, "The request's body cannot be read.")
  }

  /// Lets a client send its body that asks before it does.
  func goAhead(_ request: Request, _ context: APIContext) async throws {
    guard request.headers[.expect]?.lowercased() == "100-continue" else { return }
    // The framework does not say it, and libcurl waits a second for it.
    let go = HTTPResponsePart.head(HTTPResponse(status: .continue))
    try await context.channel.writeAndFlush(go)
  }
}
