import API
import ArgumentParser
import Console
import Foundation

/// A command that interrupts the rig's work or destroys something.
///
/// In the console, a person has to type the name of the affected thing, and a program sends the
/// name under the key `confirm`. Elsewhere `--yes` replaces the name, or the terminal asks for it.
protocol ConfirmedCommand: AsyncParsableCommand {
  /// The option that stands for a confirmation outside the console.
  var confirmed: ConfirmationOptions { get }

  /// The options of the connection to the rig.
  var connection: ConnectionOptions { get }

  /// The confirmation that the command needs with its options; `nil` for none.
  var confirmation: Confirmation? { get }

  /// Whether an option confirms the command outside the console.
  var isConfirmed: Bool { get }
}

/// A command that does not always work until it is done.
protocol ManneredCommand: ParsableCommand {
  /// The manner of the command with its options.
  var manner: CommandManner { get }
}

/// A command that may follow events until it is ended.
protocol FollowingCommand: ManneredCommand {
  /// Whether the command follows events.
  var follows: Bool { get }
}

extension FollowingCommand {
  var manner: CommandManner { follows ? .follows : .works }

  /// Ends the command after its stream, which the service ends only when it stops.
  ///
  /// - Throws: `ExitCode` 69, or `CancellationError` when the command was ended.
  func endAfterStream() throws {
    try Task.checkCancellation()
    Terminal.complain("The service has ended the stream; it is stopping.")
    throw ExitCode(69)
  }
}

/// The option of a command that has to be confirmed.
struct ConfirmationOptions: ParsableArguments {
  @Flag(help: "Do not ask for confirmation; the console asks all the same.")
  var yes = false
}

extension ConfirmedCommand {
  var isConfirmed: Bool { confirmed.yes }

  /// Asks for the confirmation outside the console.
  ///
  /// - Throws: `ValidationError` when no person can be asked, `ExitCode` 64 without a confirmation.
  func askOutsideConsole() async throws {
    guard !isConfirmed, let confirmation else { return }
    guard isatty(STDIN_FILENO) == 1, Terminal.output.isWatched else {
      throw ValidationError("\(confirmation.deed); confirm that with --yes.")
    }
    let word = await confirmation.wordToType { await connection.client.rigName() }
    let question = "\(confirmation.deed).\nType \(word) to confirm:"
    let lines = question.split(separator: "\n").map { PlainText.escaping(String($0)) }
    Terminal.write(question: lines.joined(separator: "\n") + " ")
    guard let typed = Swift.readLine(), Confirmation.accepts(typed, word) else {
      Terminal.complain("Not confirmed; nothing was done.", code: "confirmation")
      throw ExitCode(64)
    }
  }
}

extension RigClient {
  /// Returns the word that confirms an act on the whole rig.
  ///
  /// The word is the rig's name, or the machine's when the service does not tell the rig's name. A
  /// slow service gets as much time as in every look, because the word must not change with load.
  func rigName() async -> String {
    let answer = try? await status(within: ConnectionOptions.timeout)?.get()
    if let name = answer?.rig, !name.isEmpty { return name }
    return ProcessInfo.processInfo.hostName
  }

  /// Returns the rig's status, or the error instead; `nil` when neither came in time.
  func status(within limit: Duration) async -> Result<RigStatus, RigClientError>? {
    await withTaskGroup(of: Result<RigStatus, RigClientError>?.self) { group in
      group.addTask {
        do throws(RigClientError) {
          return .success(try await self.status())
        } catch {
          return .failure(error)
        }
      }
      group.addTask {
        try? await Task.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}
