import ArgumentParser

/// The command that looks at a rig and operates it, over the service's API on this machine.
struct Platenctl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "platenctl",
    abstract: "Look at a rig and operate it.",
    discussion: """
      Talks to platend over its Unix socket; whoever may write to the socket may use it, as far as \
      api.read and api.act in the configuration allow.

      Exit status: 0 when all went well, 1 when the rig refused or failed, or may not be used, 64 when the command \
      line is wrong, 69 when the service does not answer.
      """,
    subcommands: [
      ConsoleCommand.self, ManualCommand.self,
      StatusCommand.self, ShootCommand.self, RecordCommand.self, PressesCommand.self,
      WatchCommand.self,
      SessionCommand.self, SpoolCommand.self, LightsCommand.self, SimulateCommand.self,
      DoctorCommand.self, BoardCommand.self, LogCommand.self, ConfigurationCommand.self,
      SetupCommand.self, NetworkCommand.self,
      TimeCommand.self, TokenCommand.self, PreviewCommand.self, FocusCommand.self,
      CalibrateCommand.self, TestCommand.self, QueueCommand.self, TargetsCommand.self,
      ThermalCommand.self, AuditCommand.self, SupportBundleCommand.self, MetricsCommand.self,
      CameraCommand.self, IdentifyCommand.self, ServiceCommand.self, RebootCommand.self,
      PowerOffCommand.self,
    ])
}
