import API
import ArgumentParser
import Console

/// `platenctl network`.
struct NetworkCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "network",
    abstract: "Show interfaces, routes and name servers, and how far each target can be reached.",
    discussion: "Works without the service, too.")

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "The configuration file, for a look without the service.")
  var config = LocalService.configurationPath

  func run() async throws {
    let report = try await connection.passingTime("asking servers") { try await look() }
    try connection.show(report)
  }

  private func look() async throws -> NetworkReport {
    try await connection.look("looking without it", ["--look", "network", "--config", config]) {
      client in
      try await client.call(Operations.network)
    }
  }
}

/// `platenctl time show`, the default of `platenctl time`.
struct TimeShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show what the rig knows of the time, and how far to trust it.",
    discussion: "Works without the service, too.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let report: TimeReport = try await connection.look("looking without it", ["--look", "time"]) {
      client in
      try await client.call(Operations.time)
    }
    try connection.show(report)
  }
}
