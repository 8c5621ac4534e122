import Synchronization

/// The text of server-sent events (WHATWG HTML §9.2).
enum ServerSentEvent {
  /// The name of the event that carries ``MissedEvents``.
  static let missedName = "missed"

  /// Returns an event's text: its ID, its name, and the event as JSON on one line.
  ///
  /// - Throws: `EncodingError`.
  static func text(of event: some NumberedEvent, run: String) throws -> String {
    let id = EventID(run: run, number: event.id)
    let data = String(decoding: try APICoding.encode(event), as: UTF8.self)
    return "id: \(id)\nevent: \(event.name)\ndata: \(data)\n\n"
  }

  /// Returns a notice of missed events, without an ID, so that a listener's place stays.
  ///
  /// - Throws: `EncodingError`.
  static func text(of missed: MissedEvents) throws -> String {
    let data = String(decoding: try APICoding.encode(missed), as: UTF8.self)
    return "event: \(missedName)\ndata: \(data)\n\n"
  }

  /// The comment that begins every stream: no later event is missed without a notice.
  static let beginning = ": listening\n\n"

  /// A comment, which readers skip.
  static let heartbeat = ": alive\n\n"
}

/// An event of a stream with its text, which is made for the first reader and serves all others.
final class SharedEvent<Event: NumberedEvent>: Sendable {
  let event: Event
  private let made = Mutex<String?>(nil)

  init(_ event: Event) { self.event = event }

  /// Returns the event's text.
  ///
  /// - Parameter run: the run of the service, the same for all readers.
  /// - Throws: `EncodingError`.
  func text(run: String) throws -> String {
    try made.withLock { made in
      if let made { return made }
      let text = try ServerSentEvent.text(of: event, run: run)
      made = text
      return text
    }
  }
}
