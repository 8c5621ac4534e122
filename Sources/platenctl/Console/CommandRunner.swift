import ArgumentParser
import Console

/// Runs a command of the tree inside the console.
enum CommandRunner {
  /// The exit status of a command that was ended by Ctrl-C, as shells have it.
  static let interrupted: Int32 = 130

  /// Parses words and runs what they say; everything that is to be told goes to ``Terminal``.
  ///
  /// - Returns: the exit status.
  static func run(_ words: [String]) async -> Int32 {
    do {
      var command = try Platenctl.parseAsRoot(words)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      return 0
    } catch {
      return explain(error)
    }
  }

  /// Says why words are no command or why one has ended, or shows the help that they ask for.
  ///
  /// - Returns: the exit status.
  static func explain(_ error: any Error) -> Int32 {
    if error is CancellationError || Task.isCancelled {
      Terminal.complain("Interrupted.", code: "interrupted")
      return interrupted
    }
    let status = Platenctl.exitCode(for: error).rawValue
    let text = Platenctl.fullMessage(for: error, columns: Terminal.width)
    guard !text.isEmpty else { return status }
    if status == 0 {
      Terminal.show(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    } else {
      // The explanation has several lines; whoever shows them escapes each.
      Terminal.output.complain(text, code: status == 64 ? "usage" : "failed")
    }
    return status
  }
}
