import API
import ArgumentParser
import Console
import Foundation

/// The options that every command has.
struct ConnectionOptions: ParsableArguments {
  @Option(help: "The service's socket. [environment: PLATEN_SOCKET]")
  var socket: String =
    ProcessInfo.processInfo.environment["PLATEN_SOCKET"] ?? RigClient.defaultSocketPath

  @Flag(help: "Print JSON, one object a line.")
  var json = false

  /// The client for the socket.
  var client: RigClient { RigClient(socketPath: socket) }

  /// Runs a command's work; says on the standard error what went wrong.
  ///
  /// - Throws: `ExitCode`: 69 (`EX_UNAVAILABLE`) when the service does not answer, else 1.
  func report(_ work: (RigClient) async throws -> Void) async throws {
    do {
      try await work(client)
    } catch let error as RigClientError {
      Terminal.complain(error.description)
      switch error {
      case .unreachable, .interrupted: throw ExitCode(69)
      case .forbidden, .refused, .incomprehensible: throw ExitCode(1)
      }
    }
  }

  /// Prints a value as JSON when that was asked for, else as the lines.
  func show(_ value: some Encodable, or lines: @autoclosure () -> [String]) throws {
    if json {
      Terminal.show([String(decoding: try APICoding.encode(value), as: UTF8.self)])
    } else {
      Terminal.show(lines())
    }
  }
}
