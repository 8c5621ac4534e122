/// The outcome of a question.
package enum CommandAnswer: Sendable, Hashable {
  /// The person typed a line, given without its terminator.
  case line(String)
  /// No person is present, or the command was ended.
  case unanswered
  /// The person did not answer in time.
  case timedOut
}

/// A question of a command, with the channel for its answer.
final class CommandQuestion: Sendable, Hashable {
  let text: String
  let limit: Duration
  /// The stream of the single answer; it ends without one if the question is dropped.
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
