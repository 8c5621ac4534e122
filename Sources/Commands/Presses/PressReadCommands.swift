import API
import ArgumentParser
import Console

/// `platenctl presses show NUMBER`.
struct PressShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything that is known of a press.")

  @OptionGroup var connection: ConnectionOptions

  @Argument(help: "The press's number.")
  var number: Int64

  func run() async throws {
    try await connection.showAnswer(to: Operations.press, PressNumber(number))
  }
}

/// `platenctl presses counts`.
struct PressCountsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "counts", abstract: "Show how many presses ended how, and what was lost.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.showAnswer(to: Operations.pressCounts)
  }
}

/// `platenctl presses lost-edges`.
struct LostEdgesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lost-edges",
    abstract: "List gaps in the kernel's sequence numbers of the buttons, the newest first.")

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "How many gaps to list at most, 1 to 1000.")
  var limit = 20

  func validate() throws {
    try require(limit, in: 1...ListLimit.maximum, "--limit")
  }

  func run() async throws {
    try await connection.report { client in
      let list = try await client.call(Operations.lostEdges, ListLimit(limit))
      try connection.show(list, as: list.lostEdges)
    }
  }
}
