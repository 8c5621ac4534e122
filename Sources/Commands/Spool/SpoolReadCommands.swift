import API
import ArgumentParser
import Console

/// `platenctl spool list`.
struct SpoolListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List pictures, the newest first.")

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "Only those in this state; waiting stands for all that wait for a target.")
  var state: SpoolItemFilter.State?

  @Option(help: "How many pictures to list at most, 1 to 1000.")
  var limit = 20

  @Option(help: "Only those older than the picture with this ID.")
  var before: String?

  func validate() throws {
    try require(limit, in: 1...ListLimit.maximum, "--limit")
  }

  func run() async throws {
    try await connection.report { client in
      let list = try await client.call(
        Operations.spoolItems, SpoolItemFilter(state: state, limit: limit, before: before))
      try connection.show(list, as: list.items)
    }
  }
}

/// `platenctl spool show ID`.
struct SpoolShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything that is known of a picture.")

  @OptionGroup var connection: ConnectionOptions

  @Argument(help: "The picture's ID.")
  var id: String

  func run() async throws {
    try await connection.showAnswer(to: Operations.spoolItem, SpoolItemReference(id))
  }
}

/// `platenctl spool stats`.
struct SpoolStatsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Show the spool in figures, and its newest events of note.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.showAnswer(to: Operations.spoolStatistics)
  }
}
