import Devices
import Synchronization

/// The question to a device and its last answer, between the asker and the task that reads.
final class ReadingMailbox<Value: Sendable>: Sendable {
  private struct State {
    /// The round of the question that the task has not taken.
    var question: UInt64?
    /// Whether the last question has no answer.
    var isOpen = false
    var answer: (round: UInt64, result: Result<Value, DeviceError>)?
    var isClosed = false
    /// The reading task while it waits; unchecked, because the check allocates.
    var reader: UnsafeContinuation<Void, Never>?

    mutating func takeReader() -> UnsafeContinuation<Void, Never>? {
      defer { reader = nil }
      return reader
    }
  }

  private let state = Mutex(State())

  /// Asks a question in a round, unless an earlier one has no answer.
  func ask(in round: ReadingRound) {
    let reader = state.withLock { state in
      guard !state.isOpen else { return nil as UnsafeContinuation<Void, Never>? }
      state.isOpen = true
      state.question = round.asked()
      return state.takeReader()
    }
    reader?.resume()
  }

  /// Gives the answer to the question of a round.
  func give(_ answer: Result<Value, DeviceError>, to number: UInt64) {
    state.withLock { state in
      state.answer = (number, answer)
      state.isOpen = false
    }
  }

  /// Returns the answer to the question of a round; `nil` when there is none.
  func answer(to number: UInt64) -> Result<Value, DeviceError>? {
    state.withLock { state in
      guard let answer = state.answer, answer.round == number else { return nil }
      return answer.result
    }
  }

  /// Ends the reading task after its present question.
  func close() {
    let reader = state.withLock { state in
      state.isClosed = true
      return state.takeReader()
    }
    reader?.resume()
  }

  /// Waits for a question and returns its round; `nil` ends the reading task.
  func nextQuestion() async -> UInt64? {
    while true {
      let (question, isClosed) = state.withLock { state in
        defer { state.question = nil }
        return (state.question, state.isClosed)
      }
      if isClosed { return nil }
      if let question { return question }
      await change()
    }
  }

  /// Waits for a question or the end.
  private func change() async {
    await withUnsafeContinuation { (reader: UnsafeContinuation<Void, Never>) in
      let isOver = state.withLock { state in
        guard state.question == nil, !state.isClosed else { return true }
        state.reader = reader
        return false
      }
      if isOver { reader.resume() }
    }
  }
}
