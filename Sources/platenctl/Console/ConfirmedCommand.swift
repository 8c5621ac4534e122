import API
import ArgumentParser
import Console
import Foundation

/// A command that interrupts the rig's work or destroys something.
///
/// In the console the name of what it is done to has to be typed, a program gives it under the key
/// `confirm`; elsewhere `--yes` stands for it, or the name that a terminal is asked for.
protocol ConfirmedCommand: AsyncParsableCommand {
  /// The option that stands for a confirmation outside the console.
  var confirmed: ConfirmationOptions { get }

  /// The rig.
  var connection: ConnectionOptions { get }

  /// What has to be confirmed; `nil` when nothing has, as it is asked for.
  var confirmation: Confirmation? { get }

  /// Whether an option confirms it outside the console.
  var isConfirmed: Bool { get }
}

/// A command that does not always work until it is done.
protocol ManneredCommand: ParsableCommand {
  /// How it goes about its work, as it is asked for.
  var manner: CommandManner { get }
}

/// A command that may follow events until it is ended.
protocol FollowingCommand: ManneredCommand {
  /// Whether it does.
  var follows: Bool { get }
}

extension FollowingCommand {
  var manner: CommandManner { follows ? .follows : .works }
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
  /// - Throws: `ValidationError` when there is nobody to ask, `ExitCode` 64 when it is not given.
  func askOutsideConsole() async throws {
    guard !isConfirmed, let confirmation else { return }
    guard isatty(STDIN_FILENO) == 1, Terminal.output.isWatched else {
      throw ValidationError("\(confirmation.deed); confirm that with --yes.")
    }
    let word: String
    switch confirmation.word {
    case .item(let name): word = name
    case .rig: word = await connection.client.rigName()
    }
    let question = "\(confirmation.deed).\nType \(word) to confirm: "
    let lines = question.split(separator: "\n").map { PlainText.escaping(String($0)) }
    Terminal.write(question: lines.joined(separator: "\n") + " ")
    guard let typed = Swift.readLine(), Confirmation.accepts(typed, word) else {
      Terminal.complain("Not confirmed; nothing was done.", code: "confirmation")
      throw ExitCode(64)
    }
  }
}

extension RigClient {
  /// The word that confirms what is done to the whole rig: its name, or the machine's when the
  /// service does not say.
  ///
  /// A service that is slow is waited for as every look waits: the word must not change with load.
  func rigName() async -> String {
    let answer = try? await status(within: ConnectionOptions.patience)?.get()
    if let name = answer?.rig, !name.isEmpty { return name }
    return ProcessInfo.processInfo.hostName
  }

  /// The rig's status or why there is none; `nil` when neither came in time.
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
