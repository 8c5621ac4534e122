import ArgumentParser
import Console
import Synchronization

@testable import Commands

/// The standard streams of a command whose output is a file, kept in memory.
final class WrittenOutput: CommandOutput {
  private let streams = Mutex((output: "", complaint: ""))

  /// The standard output.
  var output: String { streams.withLock(\.output) }

  /// The standard error.
  var complaint: String { streams.withLock(\.complaint) }

  let wantsJSON = false
  let width = 80

  func show(_ lines: [String]) {
    streams.withLock { $0.output += lines.map { $0 + "\n" }.joined() }
  }

  func complain(_ message: String, code: String) {
    streams.withLock { $0.complaint += "platenctl: \(message)\n" }
  }

  /// Writes why words are no command or why one has ended, or the help that they ask for.
  func explain(_ error: any Error) {
    let text = Platenctl.fullMessage(for: error)
    guard !text.isEmpty else { return }
    let isHelp = Platenctl.exitCode(for: error).rawValue == 0
    streams.withLock { streams in
      if isHelp { streams.output += text + "\n" } else { streams.complaint += text + "\n" }
    }
  }
}
