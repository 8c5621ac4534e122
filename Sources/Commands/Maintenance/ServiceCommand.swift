import API
import ArgumentParser
import Console

/// `platenctl service`.
struct ServiceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service", abstract: "Show the service's state in systemd, and restart it.",
    subcommands: [ServiceStatusCommand.self, ServiceRestartCommand.self],
    defaultSubcommand: ServiceStatusCommand.self)
}

/// `platenctl service status`.
struct ServiceStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show whether the service runs, by its own word and systemd's.",
    discussion: "Exit status: 69 when the service does not answer.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let unit = await SystemManager().unit()
    let status = try? await connection.client.status(within: ConnectionOptions.timeout)?.get()
    try connection.show(ServiceState(status, unit: unit))
    guard status != nil else { throw ExitCode(69) }
  }
}
