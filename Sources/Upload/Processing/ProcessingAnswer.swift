import Transfer

/// An endpoint's answer about an item so far, which ends in an outcome.
///
/// The transitions are open → done and open → failed. Both ends are final, and later events are
/// ignored.
struct ProcessingAnswer {
  /// The outcome of the endpoint's work on an item.
  enum Outcome: Hashable {
    /// The item is processed.
    case done(Done)
    /// The item is not processed.
    case failed(Failure)
  }

  /// The end result of a processed item.
  struct Done: Hashable {
    /// The result as canonical JSON.
    var result: String?
    /// Whether the endpoint named the item's SHA-256.
    var isChecked: Bool
  }

  /// The maximum number of bytes of a result's canonical text.
  static let maximumResultBytes = 64 * 1024

  private let sha256: String
  private(set) var outcome: Outcome?
  private var result: String?

  /// Begins an answer about the item of a SHA-256.
  init(sha256: String) { self.sha256 = sha256 }

  /// Takes an event.
  ///
  /// - Returns: the progress that the event reports; `nil` for other events.
  mutating func take(_ event: StreamedEvent) -> DeliveryProgress? {
    guard outcome == nil else { return nil }
    switch event.name {
    case "progress":
      guard let value = read(event) else { return nil }
      return DeliveryProgress(
        fraction: value["fraction"]?.doubleValue.flatMap { (0...1).contains($0) ? $0 : nil },
        text: value["message"]?.stringValue.map { ByteText.shown($0, maximum: 199) })
    case "result":
      if let value = read(event) { keep(value) }
    case "error":
      if let value = read(event) { outcome = .failed(.said(value)) }
    case "done":
      if let value = event.data.isEmpty ? .null : read(event) { finish(value) }
    default:
      // Newer endpoints may send events that are unknown here.
      break
    }
    return nil
  }

  /// Takes a whole answer that is one JSON value: a result and a `done` in one.
  mutating func take(json: [UInt8]) {
    guard let value = read(json, what: "answer") else { return }
    if let failure = Failure.said(in: value) {
      outcome = .failed(failure)
      return
    }
    keep(value)
    if outcome == nil { finish(value) }
  }

  /// Returns the outcome at the end of the stream.
  mutating func end() -> Outcome {
    outcome ?? .failed(Failure(.badAnswer, "the answer ended before \"done\""))
  }

  private mutating func finish(_ value: JSONValue) {
    guard let named = value["sha256"], named != .null else {
      outcome = .done(Done(result: result, isChecked: false))
      return
    }
    guard named.stringValue?.lowercased() == sha256 else {
      let words = ByteText.shown(named.stringValue ?? named.text)
      outcome = .failed(
        Failure(.corrupted, "it got other bytes, SHA-256 \(words) instead of \(sha256)"))
      return
    }
    outcome = .done(Done(result: result, isChecked: true))
  }

  private mutating func keep(_ value: JSONValue) {
    let text = value.text
    guard text.utf8.count <= Self.maximumResultBytes else {
      outcome = .failed(
        Failure(.rejected, "its result is over \(Self.maximumResultBytes) bytes"))
      return
    }
    result = text
  }

  private mutating func read(_ event: StreamedEvent) -> JSONValue? {
    read(Array(event.data.utf8), what: "\"\(ByteText.shown(event.name))\"")
  }

  private mutating func read(_ bytes: [UInt8], what: String) -> JSONValue? {
    do {
      return try JSONParser.parse(bytes)
    } catch {
      outcome = .failed(Failure(.badAnswer, "its \(what) is not JSON: \(error)"))
      return nil
    }
  }
}
