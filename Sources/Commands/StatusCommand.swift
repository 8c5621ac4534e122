import API
import ArgumentParser
import Console

/// `platenctl status`.
struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show what the rig says of itself.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.showAnswer(to: Operations.status)
  }
}
