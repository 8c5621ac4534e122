import ArgumentParser

/// `platenctl presses`.
struct PressesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presses",
    abstract: "Show each press, how it ended, and why.",
    subcommands: [
      PressListCommand.self, PressShowCommand.self, PressCountsCommand.self,
      LostEdgesCommand.self,
    ], defaultSubcommand: PressListCommand.self)
}
