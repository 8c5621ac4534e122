import ArgumentParser

/// Looks at a rig and operates it, over the service's API on this machine.
@main
struct Platenctl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "platenctl",
    abstract: "Look at a rig and operate it.",
    discussion: """
      Talks to platend over its Unix socket; whoever may write to the socket may use it.

      Exit status: 0 when all went well, 1 when the rig refused or failed, or may not be used, 64 when the command \
      line is wrong, 69 when the service does not answer.
      """,
    subcommands: [
      StatusCommand.self, ShootCommand.self, PressesCommand.self, WatchCommand.self,
      SessionCommand.self, SpoolCommand.self, LightsCommand.self, SimulateCommand.self,
    ])
}
