import API
import ArgumentParser
import Console

/// `platenctl presses`.
struct PressesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presses", abstract: "List the last presses, the newest first.")

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "How many presses to list at most, 1 to 1000.")
  var limit = 20

  func validate() throws {
    guard (1...1000).contains(limit) else {
      throw ValidationError("--limit must be from 1 to 1000, not \(limit).")
    }
  }

  func run() async throws {
    try await connection.report { client in
      let presses = try await client.presses(limit: limit)
      if connection.json {
        for press in presses { try connection.show(press, or: []) }
      } else {
        Terminal.show(PressView(width: Terminal.width).lines(presses))
      }
    }
  }
}
