import Hummingbird
import NIOCore
import ServiceLifecycle

extension APIRoutes {
  /// Returns an answer that goes on until the listener leaves or the service stops.
  ///
  /// - Parameter isWanted: returns whether the listener gets an event; an event that it does not
  ///   get counts as received.
  func eventStream<Event>(
    _ listener: EventFeed<Event>.Listener, run: String, _ request: Request, _ context: APIContext,
    isWanted: @escaping @Sendable (Event) -> Bool = { _ in true }
  ) -> Response {
    let (channel, grace) = (context.channel, streamGrace)
    return endlessAnswer(
      "text/event-stream", request, context, whenClosed: { listener.stop() }
    ) {
      try await relay(listener, run: run, to: &$0, isWanted)
      // The feed ends the listener when the service stops, often before this connection is told.
      channel.close(after: TimeAmount(grace))
    }
  }

  /// Returns an answer that goes on until its writer ends.
  ///
  /// - Parameters:
  ///   - whenClosed: called when the caller has gone, and has to end the writer.
  ///   - whenStopping: called when the service stops, and has to end the writer.
  ///   - write: writes the parts. A caller that does not read keeps a write waiting until its
  ///     connection is closed.
  func endlessAnswer(
    _ mediaType: String, _ request: Request, _ context: APIContext,
    whenClosed: @escaping @Sendable () -> Void, whenStopping: @escaping @Sendable () -> Void = {},
    _ write: @escaping @Sendable @concurrent (inout any ResponseBodyWriter) async throws -> Void
  ) -> Response {
    let (channel, grace) = (context.channel, streamGrace)
    let body = ResponseBody { writer in
      try await withGracefulShutdownHandler {
        try await request.body.consumeWithInboundCloseHandler { _ in
          try await write(&writer)
        } onInboundClosed: {
          whenClosed()
        }
      } onGracefulShutdown: {
        whenStopping()
        channel.close(after: TimeAmount(grace))
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok,
      headers: [.contentType: mediaType, .cacheControl: "no-store", .connection: "close"],
      body: body)
  }
}

/// Writes the missed events, then the live ones, until the listener is stopped.
///
/// A listener that reads too slowly is cut off like a slow reader of any other answer.
@concurrent private func relay<Event>(
  _ listener: EventFeed<Event>.Listener, run: String, to writer: inout any ResponseBodyWriter,
  _ isWanted: @escaping @Sendable (Event) -> Bool
) async throws {
  var text = ServerSentEvent.beginning
  for await sign in listener.signs {
    for item in listener.unread() {
      switch item {
      case .missed(let missed): text += try ServerSentEvent.text(of: missed)
      case .event(let event):
        if isWanted(event.event) { text += try event.text(run: run) }
      }
    }
    if text.isEmpty, sign == .heartbeat { text = ServerSentEvent.heartbeat }
    guard !text.isEmpty else { continue }
    try await writer.write(ByteBuffer(string: text))
    text = ""
  }
}
