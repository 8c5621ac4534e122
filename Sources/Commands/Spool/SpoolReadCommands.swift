import API
import ArgumentParser
import Console

/// `platenctl spool list`.
struct SpoolListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List pictures, the newest first.")

  @OptionGroup var connection: ConnectionOptions

  @Option(
    help:
      "Only those in this state; waiting stands for all that wait for a target."
  )
  var state: SpoolItemFilter.State?

  @Option(help: "How many pictures to list at most, 1 to 1000.")
  var limit = 20

  @Option(help: "Only those older than the picture with this ID.")
  var before: String?

  func validate() throws {
    guard (1...ListLimit.maximum).contains(limit) else {
      throw ValidationError("--limit must be from 1 to \(ListLimit.maximum), not \(limit).")
    }
  }

  func run() async throws {
    try await connection.report { client in
      let list = try await client.call(
        Operations.spoolItems, SpoolItemFilter(state: state, limit: limit, before: before))
      if connection.json {
        for item in list.items { try connection.show(item, or: []) }
      } else {
        Terminal.show(SpoolView(width: Terminal.width).lines(list.items))
      }
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
    try await connection.report { client in
      let item = try await client.call(Operations.spoolItem, SpoolItemReference(id))
      try connection.show(item, or: SpoolView(width: Terminal.width).lines(item))
    }
  }
}

/// `platenctl spool stats`.
struct SpoolStatsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Show the spool in figures, and its newest events of note.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.report { client in
      let statistics = try await client.call(Operations.spoolStatistics)
      try connection.show(statistics, or: SpoolView(width: Terminal.width).lines(statistics))
    }
  }
}

extension SpoolItemFilter.State: ExpressibleByArgument {}
