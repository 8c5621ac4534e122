package import API
import Transfer

/// An item of an API event stream.
package enum EventStreamItem<Event: Sendable & Hashable>: Sendable, Hashable {
  /// The start of listening: from now on every missed event is reported.
  case listening
  /// An event; the ID lets a later stream continue after the event.
  case event(Event, id: String)
  /// A report of lost events, because the listener was slow or away for too long.
  case missed(MissedEvents)
}

/// An item of the stream of a rig's events.
package typealias RigEventItem = EventStreamItem<RigEvent>

extension RigClient {
  /// Listens to changes until the service or the reader stops.
  ///
  /// The stream ends with a ``RigClientError`` when the connection breaks.
  ///
  /// - Parameter lastID: the ID of the last seen event, after which the stream continues.
  package func events(after lastID: String? = nil) -> AsyncThrowingStream<RigEventItem, any Error> {
    stream(Operations.events, after: lastID)
  }

  /// Listens to a stream of events until the service or the reader stops.
  func stream<Event: Decodable & Sendable & Hashable>(
    _ operation: Operation, _ input: EndpointRequest = EndpointRequest(), after lastID: String?
  ) -> AsyncThrowingStream<EventStreamItem<Event>, any Error> {
    let headers = lastID.map { [HTTPHeader("Last-Event-ID", $0)] } ?? []
    let request = request(operation, input, headers: headers)
    let lines = HTTPClient(userAgent: "platenctl").lines(of: request)
    let client = self
    return AsyncThrowingStream(bufferingPolicy: .bufferingOldest(4096)) { continuation in
      let task = Task {
        do {
          var reader = EventStreamReader<Event>()
          for try await line in lines {
            guard let item = try reader.take(line) else { continue }
            if case .dropped = continuation.yield(item) {
              throw RigClientError.interrupted(
                socketPath: client.socketPath, cause: "4096 events wait to be read")
            }
          }
          continuation.finish()
        } catch let error as TransferError {
          continuation.finish(throwing: client.connectionError(error))
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
