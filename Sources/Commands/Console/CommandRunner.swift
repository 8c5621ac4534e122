import ArgumentParser
import Console

/// A runner of the tree's commands; all messages go to ``Terminal``.
enum CommandRunner {
  /// The exit status of a command that Ctrl-C ended, as in shells.
  static let interrupted: Int32 = 130

  /// Parses words and runs their command.
  ///
  /// - Parameter isConfirmed: whether the confirmation that the command needs was given already.
  /// - Throws: an error that `Platenctl` explains and has an exit code for.
  static func perform(_ words: [String], isConfirmed: Bool = false) async throws {
    var command = try Platenctl.parseAsRoot(words)
    if !isConfirmed, let command = command as? any ConfirmedCommand {
      try await command.askOutsideConsole()
    }
    if var command = command as? any AsyncParsableCommand {
      try await command.run()
    } else {
      try command.run()
    }
  }

  /// Parses words and runs their command in the console, which has asked for confirmation already.
  ///
  /// - Returns: the exit status.
  static func run(_ words: [String]) async -> Int32 {
    do {
      try await perform(words, isConfirmed: true)
      return 0
    } catch {
      return explain(error)
    }
  }

  /// Explains why words are no command or why a command has ended, or shows the requested help.
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
      // The explanation has several lines; the output escapes each of them.
      Terminal.output.complain(text, code: status == 64 ? "usage" : "failed")
    }
    return status
  }
}
