import Synchronization
import Transfer

/// A reader of an endpoint's answer while it arrives, on the transfer's thread.
///
/// The reader holds one event at a time, so a slow or endless stream takes no more memory than a
/// short one.
final class ProcessingReader: Sendable {
  /// The maximum number of bytes of an event's data, including optional white space.
  static let maximumEventBytes = 128 * 1024
  /// The maximum number of bytes of a whole stream.
  static let maximumStreamBytes = 16 << 20

  private struct State {
    var answer: ProcessingAnswer
    var lines = LineSplitter(maximumLineBytes: maximumEventBytes)
    var events = EventStreamParser(maximumDataBytes: maximumEventBytes)
    var json: [UInt8] = []
    var byteCount = 0
    var lastEvent: ContinuousClock.Instant?
    var problem: ProcessingAnswer.Failure?
  }

  private let stallTimeout: Duration
  private let note: @Sendable (DeliveryProgress) -> Void
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state: Mutex<State>

  /// Makes a reader of the answer about the item of a SHA-256.
  ///
  /// - Parameter note: a closure that gets each progress, on the transfer's thread.
  init(
    sha256: String, stallTimeout: Duration,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    note: @escaping @Sendable (DeliveryProgress) -> Void
  ) {
    self.stallTimeout = stallTimeout
    self.now = now
    self.note = note
    state = Mutex(State(answer: ProcessingAnswer(sha256: sha256)))
  }

  /// Takes a piece of the body of a success; returns `false` to end the transfer.
  func take(_ response: HTTPResponse, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let (progress, goesOn) = state.withLock { state in
      switch Kind(response) {
      case .events: takeEvents(bytes, &state)
      case .json: ([], Self.takeJSON(bytes, &state))
      case .other: ([], false)
      }
    }
    for progress in progress { note(progress) }
    return goesOn
  }

  /// Returns the outcome of a successful answer that has ended or that ``take`` has ended.
  func outcome(of response: HTTPResponse) -> ProcessingAnswer.Outcome {
    state.withLock { state in
      if let problem = state.problem { return .failed(problem) }
      switch Kind(response) {
      case .events: break
      case .json: state.answer.take(json: state.json)
      case .other:
        let kind = ByteText.shown(response["Content-Type"] ?? "nothing", maximum: 64)
        return .failed(
          ProcessingAnswer.Failure(
            .blocked, "it answered \(response.status) with \(kind), not with events or JSON"))
      }
      return state.answer.end()
    }
  }

  /// The kind of an answer's body.
  private enum Kind {
    case events, json, other

    init(_ response: HTTPResponse) {
      let type = response["Content-Type"]?.prefix { $0 != ";" }.lowercased() ?? ""
      switch (response.status, type.filter { $0 != " " && $0 != "\t" }) {
      case (200, "text/event-stream"): self = .events
      case (200...201, "application/json"): self = .json
      default: self = .other
      }
    }
  }

  private static func takeJSON(_ bytes: UnsafeRawBufferPointer, _ state: inout State) -> Bool {
    guard state.json.count + bytes.count <= maximumEventBytes else {
      state.problem = ProcessingAnswer.Failure(
        .rejected, "its answer is over \(maximumEventBytes) bytes")
      return false
    }
    state.json += bytes
    return true
  }

  private func takeEvents(
    _ bytes: UnsafeRawBufferPointer, _ state: inout State
  ) -> (progress: [DeliveryProgress], goesOn: Bool) {
    let instant = now()
    let last = state.lastEvent ?? instant
    state.lastEvent = last
    state.byteCount += bytes.count
    var lines: [String] = []
    do {
      try state.lines.add(bytes) { lines.append($0) }
      var progress: [DeliveryProgress] = []
      for line in lines {
        guard case .event(let event)? = try state.events.take(line) else { continue }
        state.lastEvent = instant
        if let step = state.answer.take(event) { progress.append(step) }
        if state.answer.outcome != nil { return (progress, false) }
      }
      if state.byteCount > Self.maximumStreamBytes {
        state.problem = .init(.badAnswer, "its answer is over \(Self.maximumStreamBytes) bytes")
      } else if let last = state.lastEvent, last.duration(to: instant) > stallTimeout {
        state.problem = .init(.timedOut, "it told nothing for \(stallTimeout)")
      }
      return (progress, state.problem == nil)
    } catch {
      state.problem = .init(
        .badAnswer, "an event is over \(Self.maximumEventBytes) bytes")
      return ([], false)
    }
  }
}
