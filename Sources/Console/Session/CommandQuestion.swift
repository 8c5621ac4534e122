/// What came of a question.
public enum CommandAnswer: Sendable, Hashable {
  /// What was typed, without its end.
  case line(String)
  /// Nobody is there to be asked, or the command was ended.
  case nobody
  /// Nobody has answered in time.
  case timedOut
}

/// A question that a command asks, and the way back of its answer.
final class CommandQuestion: Sendable, Hashable {
  let text: String
  let limit: Duration
  /// The one answer; it ends without one when the question is dropped.
  let answers: AsyncStream<CommandAnswer>
  private let sink: AsyncStream<CommandAnswer>.Continuation

  init(_ text: String, limit: Duration) {
    self.text = text
    self.limit = limit
    (answers, sink) = AsyncStream.makeStream(of: CommandAnswer.self)
  }

  deinit { sink.finish() }

  func answer(_ answer: CommandAnswer) {
    sink.yield(answer)
    sink.finish()
  }

  static func == (first: CommandQuestion, second: CommandQuestion) -> Bool { first === second }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
