public import API
import Transfer

/// What somebody who listens to a stream of the API gets to know.
public enum StreamNews<Event: Sendable & Hashable>: Sendable, Hashable {
  /// From now on nothing is missed without a notice.
  case listening
  /// Something happened; the ID is what the stream takes to go on from here.
  case event(Event, id: String)
  /// Events were lost, because the listener was slow or away for too long.
  case missed(MissedEvents)
}

/// What somebody who listens to a rig gets to know.
public typealias RigNews = StreamNews<RigEvent>

extension RigClient {
  /// Listens to what changes, until the service stops or the reader does.
  ///
  /// Ends with an error of ``RigClientError`` when the connection breaks.
  ///
  /// - Parameter lastID: the last event that was seen, to go on from there.
  public func events(after lastID: String? = nil) -> AsyncThrowingStream<RigNews, any Error> {
    stream("/v1/events", after: lastID)
  }

  /// Listens to a stream of events, until the service stops or the reader does.
  func stream<Event: Decodable & Sendable & Hashable>(
    _ path: String, after lastID: String?
  ) -> AsyncThrowingStream<StreamNews<Event>, any Error> {
    let headers = lastID.map { [HTTPHeader("Last-Event-ID", $0)] } ?? []
    let request = request("GET", path, headers: headers)
    let lines = HTTPClient(userAgent: "platenctl").lines(of: request)
    let client = self
    return AsyncThrowingStream(bufferingPolicy: .bufferingOldest(4096)) { continuation in
      let task = Task {
        do {
          var reader = NewsReader<Event>()
          for try await line in lines {
            guard let news = try reader.take(line) else { continue }
            if case .dropped = continuation.yield(news) {
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
