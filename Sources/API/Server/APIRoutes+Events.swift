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
    let channel = context.channel
    let body = ResponseBody { writer in
      // A listener that does not read keeps a write waiting until its connection is closed.
      try await withGracefulShutdownHandler {
        try await request.body.consumeWithInboundCloseHandler { _ in
          try await relay(listener, run: run, to: &writer, isWanted)
        } onInboundClosed: {
          listener.stop()
        }
      } onGracefulShutdown: {
        // The feed ends the listener.
        channel.eventLoop.scheduleTask(in: .milliseconds(300)) { channel.close(promise: nil) }
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/event-stream", .cacheControl: "no-store", .connection: "close",
      ],
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
