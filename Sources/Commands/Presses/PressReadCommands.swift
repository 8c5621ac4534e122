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
    try await connection.report { client in
      let press = try await client.call(Operations.press, PressNumber(number))
      try connection.show(press, or: PressView(width: Terminal.width).lines(press))
    }
  }
}

/// `platenctl presses counts`.
struct PressCountsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "counts", abstract: "Show how many presses ended how, and what was lost.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.report { client in
      let counts = try await client.call(Operations.pressCounts)
      try connection.show(counts, or: PressView(width: Terminal.width).lines(counts))
    }
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
    guard (1...ListLimit.maximum).contains(limit) else {
      throw ValidationError("--limit must be from 1 to \(ListLimit.maximum), not \(limit).")
    }
  }

  func run() async throws {
    try await connection.report { client in
      let list = try await client.call(Operations.lostEdges, ListLimit(limit))
      if connection.json {
        for gap in list.lostEdges { try connection.show(gap, or: []) }
      } else {
        Terminal.show(PressView(width: Terminal.width).lines(list))
      }
    }
  }
}
