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
        listener.stop()
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
  if let missed = listener.replay.missed { text += try ServerSentEvent.text(of: missed) }
  var before: UInt64?
  for event in listener.replay.events {
    if let before, let missed = missedEvents(after: before, before: event.id) {
      text += try ServerSentEvent.text(of: missed)
    }
    before = event.id
    if isWanted(event) { text += try ServerSentEvent.text(of: event, run: run) }
  }
  try await writer.write(ByteBuffer(string: text))

  var last = listener.position
  for await item in listener.items {
    switch item {
    case .heartbeat:
      try await writer.write(ByteBuffer(string: ServerSentEvent.heartbeat))
    case .event(let event):
      var text = ""
      if let last, let missed = missedEvents(after: last, before: event.id) {
        text = try ServerSentEvent.text(of: missed)
      }
      last = event.id
      if isWanted(event) { text += try ServerSentEvent.text(of: event, run: run) }
      if !text.isEmpty { try await writer.write(ByteBuffer(string: text)) }
    }
  }
}
