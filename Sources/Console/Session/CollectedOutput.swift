import Synchronization

/// What a command says, kept for a program.
final class CollectedOutput: CommandOutput {
  private struct State {
    var lines: [String] = []
    var complaints: [String] = []
    var code: String?
  }

  private let state = Mutex(State())

  init() {}

  var wantsJSON: Bool { true }
  var width: Int { 80 }

  /// What was shown, an object for each line.
  var output: [JSONValue] { state.withLock { $0.lines.map(ConsoleAnswer.output) } }

  /// What went wrong: all complaints, and the kind of the last one; `nil` when nothing did.
  var failure: ConsoleAnswer.Failure? {
    state.withLock { state in
      state.code.map { code in
        ConsoleAnswer.Failure(code: code, message: state.complaints.joined(separator: "\n"))
      }
    }
  }

  func show(_ lines: [String]) {
    state.withLock { $0.lines += lines }
  }

  func complain(_ message: String, code: String) {
    state.withLock { state in
      state.complaints.append(message)
      state.code = code
    }
  }
}
