import Hummingbird
import NIOCore
import ServiceLifecycle

extension APIRoutes {
  /// The answer that goes on until the listener leaves or the service stops.
  func eventStream(
    _ listener: EventFeed.Listener, _ request: Request, _ context: APIContext
  ) -> Response {
    let run = feed.run
    let channel = context.channel
    let body = ResponseBody { writer in
      // A listener that does not read keeps a write waiting; only closing its connection ends that.
      try await withGracefulShutdownHandler {
        try await request.body.consumeWithInboundCloseHandler { _ in
          try await relay(listener, run: run, to: &writer, over: channel)
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

/// How long a listener may leave what was written to it unread.
private let stuckAfter = TimeAmount.seconds(30)

/// Writes what was missed, then what comes, until the listener is stopped.
@concurrent private func relay(
  _ listener: EventFeed.Listener, run: String, to writer: inout any ResponseBodyWriter,
  over channel: any Channel
) async throws {
  var text = ServerSentEvent.beginning
  if let missed = listener.replay.missed { text += try ServerSentEvent.text(of: missed) }
  for event in listener.replay.events { text += try ServerSentEvent.text(of: event, run: run) }
  try await write(text, to: &writer, over: channel)

  var last = listener.position
  for await item in listener.items {
    switch item {
    case .heartbeat:
      try await write(ServerSentEvent.heartbeat, to: &writer, over: channel)
    case .event(let event):
      var text = ""
      if last > 0, let missed = missedEvents(after: last, before: event.id) {
        text = try ServerSentEvent.text(of: missed)
      }
      last = event.id
      text += try ServerSentEvent.text(of: event, run: run)
      try await write(text, to: &writer, over: channel)
    }
  }
}

@concurrent private func write(
  _ text: String, to writer: inout any ResponseBodyWriter, over channel: any Channel
) async throws {
  let giveUp = channel.eventLoop.scheduleTask(in: stuckAfter) { channel.close(promise: nil) }
  defer { giveUp.cancel() }
  try await writer.write(ByteBuffer(string: text))
}
