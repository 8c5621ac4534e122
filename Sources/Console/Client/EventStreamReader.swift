import API
import Transfer

/// A reader of the API's events from the lines of an event stream.
struct EventStreamReader<Event: Decodable & Sendable & Hashable> {
  private var parser = EventStreamParser()
  private var hasBegun = false

  init() {}

  /// Takes a line without its terminator.
  ///
  /// - Returns: the item that this line completes; `nil` if there is none.
  /// - Throws: ``RigClientError``, `incomprehensible`, when an event is too long or its data is not
  ///   the API's.
  mutating func take(_ line: String) throws(RigClientError) -> EventStreamItem<Event>? {
    do {
      switch try parser.take(line) {
      case .comment?:
        defer { hasBegun = true }
        return hasBegun ? nil : .listening
      case .event(let event)?: return try item(event)
      case nil: return nil
      }
    } catch let error as RigClientError {
      throw error
    } catch {
      throw .incomprehensible("an event is too long.")
    }
  }

  private func item(_ event: StreamedEvent) throws(RigClientError) -> EventStreamItem<Event> {
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
