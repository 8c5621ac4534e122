import Synchronization

/// An output that collects a command's text for a program.
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

  /// The shown lines, each as an object.
  var output: [JSONValue] { state.withLock { $0.lines.map(ConsoleAnswer.output) } }

  /// The failure: all complaints with the code of the last one; `nil` without any.
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
