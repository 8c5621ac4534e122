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

  private struct Report: Encodable {
    let isAnswering: Bool
    let rig: String?
    let version: String?
    let uptimeSeconds: Double?
    let readiness: ReadinessReport?
    let unit: [String: String]?
  }

  func run() async throws {
    let unit = await SystemManager().unit()
    let status = try? await connection.client.status(within: ConnectionOptions.timeout)?.get()
    let report = Report(
      isAnswering: status != nil, rig: status?.rig, version: status?.version,
      uptimeSeconds: status?.uptimeSeconds, readiness: status?.readiness, unit: unit)
    let view = MaintenanceView(width: Terminal.width)
    try connection.show(report, or: view.lines(status, unit: unit))
    guard status != nil else { throw ExitCode(69) }
  }
}
