import API
import Transfer

/// Reads the API's events from the lines of one of its streams.
struct NewsReader<Event: Decodable & Sendable & Hashable> {
  private var parser = EventStreamParser()
  private var hasBegun = false

  init() {}

  /// Takes a line without its end.
  ///
  /// - Returns: what is complete with this line; `nil` when nothing is.
  /// - Throws: ``RigClientError``, `incomprehensible`, when an event's data is not the API's.
  mutating func take(_ line: String) throws(RigClientError) -> StreamNews<Event>? {
    do {
      switch try parser.take(line) {
      case .comment?:
        defer { hasBegun = true }
        return hasBegun ? nil : .listening
      case .event(let event)?: return try news(event)
      case nil: return nil
      }
    } catch let error as RigClientError {
      throw error
    } catch {
      throw .incomprehensible("an event is too long.")
    }
  }

  private func news(_ event: StreamedEvent) throws(RigClientError) -> StreamNews<Event> {
    do {
      if event.name == "missed" {
        return .missed(try APICoding.decode(MissedEvents.self, from: event.data.utf8))
      }
      return .event(try APICoding.decode(Event.self, from: event.data.utf8), id: event.id)
    } catch {
      throw .incomprehensible(error.message)
    }
  }
}
