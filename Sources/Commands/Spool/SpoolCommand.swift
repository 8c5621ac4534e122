import ArgumentParser

/// `platenctl spool`.
struct SpoolCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "spool",
    abstract: "Show the pictures on the rig's disk, and repair what is stuck.",
    subcommands: [
      SpoolListCommand.self, SpoolShowCommand.self, SpoolRetryCommand.self,
      SpoolVerifyCommand.self, SpoolExportCommand.self, SpoolStatsCommand.self,
      SpoolDeleteCommand.self,
    ])
}
