import API
import ArgumentParser
import Console

/// `platenctl queue`.
struct QueueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "Show how many pictures wait to be uploaded, and why.",
    discussion: """
      "spool" looks at the pictures themselves, "targets" at where they go.
      """)

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.report { client in
      try connection.show(
        QueueReport(await client.status(), await client.call(Operations.spoolStatistics)))
    }
  }
}

/// `platenctl thermal`.
struct ThermalCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thermal", abstract: "Show how hot the rig is, and what it does without.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.report { client in
      let report = try await client.status().thermal
      let interruptions = try await client.call(Operations.interruptions)
      try connection.show(ThermalTable(report, interruptions), as: [report])
    }
  }
}
