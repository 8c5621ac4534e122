import ArgumentParser
import Console

/// `platenctl metrics`.
struct MetricsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Show the rig's figures as Prometheus reads them; with --json as one text.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.report { client in
      let text = try await client.metrics()
      try connection.show(
        ["metrics": text], or: text.split(separator: "\n").map(String.init))
    }
  }
}
