import Synchronization

/// An output that collects a command's text, for a program by default.
package final class CollectedOutput: CommandOutput {
  private struct State {
    var lines: [String] = []
    var complaints: [String] = []
    var code: String?
  }

  private let state = Mutex(State())

  /// Makes an output without text.
  package init(wantsJSON: Bool = true) { self.wantsJSON = wantsJSON }

  /// Whether the lines are JSON, for a program.
  package let wantsJSON: Bool
  /// The width in columns.
  package let width = 80

  /// The shown lines and then the complaints.
  package var lines: [String] { state.withLock { $0.lines + $0.complaints } }

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

  /// Collects lines.
  package func show(_ lines: [String]) {
    state.withLock { $0.lines += lines }
  }

  /// Collects a complaint.
  package func complain(_ message: String, code: String) {
    state.withLock { state in
      state.complaints.append(message)
      state.code = code
    }
  }
}
