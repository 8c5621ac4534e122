import API
import ArgumentParser
import Console
import Devices
import Foundation
import Synchronization

/// The tree of `platenctl` as the commands of a console.
final class RigCommands: ConsoleCommands {
  /// The time that a greeting or a prompt waits for a service that does not answer.
  private static let timeout = Duration.seconds(5)

  private let client: RigClient
  private let tree: CommandTree
  private let help: CommandHelp
  private let lastName = Mutex<String?>(nil)

  /// Makes the commands.
  ///
  /// - Throws: `DecodingError` when the parser describes its tree in another form.
  init(socket: String) throws {
    client = RigClient(socketPath: socket)
    tree = try CommandTree.read(Platenctl._dumpHelp())
    help = CommandHelp(tree, extra: ConsoleSession.builtins)
  }

  /// Help and completion for a line that is being typed.
  var guide: any LineGuide { help }

  func greeting() async -> [String] {
    let hint = "\"help\" lists the commands, \"exit\" leaves."
    let status: RigStatus
    switch await client.status(within: Self.timeout) {
    case .success(let told): status = told
    case .failure(let error): return explained(error.description, hint)
    case nil: return explained(silence, hint)
    }
    lastName.withLock { $0 = status.rig }
    let state = status.readiness.summary
    return PlainText.wrapping(
      PlainText.escaping("\(status.rig), platend \(status.version): \(state)."), to: 80) + [hint]
  }

  func prompt() async -> String {
    guard case .success(let status) = await client.status(within: Self.timeout) else {
      let name = lastName.withLock { $0 }.map { $0 + " " } ?? ""
      return PlainText.escaping("\(name)no service> ")
    }
    lastName.withLock { $0 = status.rig }
    let readiness = status.readiness
    let reason = readiness.state.value == .ready ? nil : readiness.reasons.first?.rawValue
    let state = reason ?? readiness.state.rawValue
    let words = PlainText.truncating(PlainText.escaping("\(status.rig) \(state)"), to: 60)
    return words + "> "
  }

  func rigName() async -> String {
    let name = await client.rigName()
    lastName.withLock { $0 = name }
    return name
  }

  func prepare(
    _ words: [String], _ output: any CommandOutput
  ) -> (PreparedCommand?, status: Int32) {
    let socket = client.socketPath
    return Terminal.$output.withValue(output) {
      ConnectionOptions.$consoleSocket.withValue(socket) {
        if words == ["help"] || words == ["--help"] || words == ["-h"] {
          Terminal.show(help.overview(width: Terminal.width))
          return (nil, 0)
        }
        if let refusal = SettledOptions.refusal(of: words) {
          Terminal.complain(refusal, code: "usage")
          return (nil, 64)
        }
        let asked = words.first == "help" ? Array(words.dropFirst()) : words
        do {
          if words.first == "help", tree.unknown(asked) != nil { throw Unknown() }
          return (try prepared(words, socket), 0)
        } catch {
          if Platenctl.exitCode(for: error).rawValue != 0, let unknown = tree.unknown(asked) {
            Terminal.complain(Self.text(unknown), code: "usage")
            return (nil, 64)
          }
          return (nil, CommandRunner.explain(error))
        }
      }
    }
  }

  /// The error of a request for help on an unknown command.
  private struct Unknown: Error {}

  /// Parses words and prepares their command.
  ///
  /// The task that runs the command parses the words again, because a parsed command cannot be
  /// passed to another task.
  private func prepared(_ words: [String], _ socket: String) throws -> PreparedCommand {
    let command = try Platenctl.parseAsRoot(words)
    guard !(command is ConsoleCommand) else {
      throw ValidationError("This is the console already.")
    }
    return PreparedCommand(
      confirmation: (command as? any ConfirmedCommand)?.confirmation,
      manner: (command as? any ManneredCommand)?.manner ?? .works
    ) { output in
      await Terminal.$output.withValue(output) {
        await ConnectionOptions.$consoleSocket.withValue(socket) {
          await CommandRunner.run(words)
        }
      }
    }
  }

  private static func text(_ unknown: CommandTree.Unknown) -> String {
    let suggestions = unknown.suggestions.map { "\"\($0)\"" }
    let list =
      suggestions.count > 1
      ? suggestions.dropLast().joined(separator: ", ") + " or " + (suggestions.last ?? "")
      : suggestions.first
    return "There is no command \"\(unknown.word)\"."
      + (list.map { " Did you mean \($0)?" } ?? " \"help\" lists all commands.")
  }

  /// Returns the greeting for a rig without a status, with the reason.
  private func explained(_ reason: String, _ hint: String) -> [String] {
    PlainText.wrapping(PlainText.escaping(reason), to: 80) + [
      "\"lights\" explains the lights also now. " + hint
    ]
  }

  /// The reason when no answer came in time.
  private var silence: String {
    "The service did not answer on \"\(client.socketPath)\" within "
      + "\(Self.timeout.components.seconds) seconds."
  }
}
