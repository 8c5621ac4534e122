import API
import ArgumentParser
import Console
import Foundation

/// The options that every command has.
struct ConnectionOptions: ParsableArguments {
  /// The socket of the console that runs the command; `nil` outside a console.
  @TaskLocal static var consoleSocket: String?

  /// The environment in which commands run.
  @TaskLocal static var environment = ProcessInfo.processInfo.environment

  /// The socket that is used unless another is named.
  static var defaultSocket: String {
    consoleSocket ?? environment["PLATEN_SOCKET"] ?? RigClient.defaultSocketPath
  }

  @Option(help: "The service's socket. [environment: PLATEN_SOCKET]")
  var socket: String = ConnectionOptions.defaultSocket

  @OptionGroup var form: FormOptions

  /// Whether to print JSON.
  var json: Bool { form.json }

  /// The client for the socket.
  var client: RigClient { RigClient(socketPath: socket) }

  /// Runs a command's work, and shows its failure on the standard error.
  ///
  /// - Throws: `ExitCode`: 69 (`EX_UNAVAILABLE`) when the service does not answer, else 1;
  ///   `CancellationError` when the command was ended.
  func report(_ work: (RigClient) async throws -> Void) async throws {
    do {
      try await work(client)
    } catch let error as RigClientError {
      // The person who ended the command need not be told that its connection broke.
      try Task.checkCancellation()
      switch error {
      case .unreachable, .interrupted:
        Terminal.complain(error.description, code: "unreachable")
        throw ExitCode(69)
      case .refused(let cause):
        Terminal.complain(error.description, code: cause.code.rawValue)
        throw ExitCode(1)
      case .forbidden:
        Terminal.complain(error.description, code: "forbidden")
        throw ExitCode(1)
      case .incomprehensible:
        Terminal.complain(error.description)
        throw ExitCode(1)
      }
    }
  }

  /// Calls an operation, and shows its answer.
  ///
  /// - Parameter label: the activity in a few words, where it may take a while.
  /// - Throws: as ``report(_:)``.
  func showAnswer<Input, Answer: Presentable>(
    to endpoint: Endpoint<Input, Answer>, _ input: Input, during label: String? = nil
  ) async throws {
    try await report { client in
      guard let label else { return try show(await client.call(endpoint, input)) }
      try show(await passingTime(label) { try await client.call(endpoint, input) })
    }
  }

  /// Calls an operation that takes nothing, and shows its answer.
  ///
  /// - Parameter label: the activity in a few words, where it may take a while.
  /// - Throws: as ``report(_:)``.
  func showAnswer<Answer: Presentable>(
    to endpoint: Endpoint<NoInput, Answer>, during label: String? = nil
  ) async throws {
    try await showAnswer(to: endpoint, NoInput(), during: label)
  }

  /// Prints an answer as JSON where that is asked for, else as its lines.
  func show(_ answer: some Presentable & Encodable) throws { try show(answer, as: [answer]) }

  /// Prints an answer as values in JSON, one a line, where that is asked for, else as its lines.
  func show(_ answer: some Presentable, as values: [some Encodable]) throws {
    if json {
      try Terminal.show(json: values)
    } else {
      Terminal.show(answer)
    }
  }

  /// Prints a value as JSON where that is asked for, else as the lines.
  func show(_ value: some Encodable, or lines: @autoclosure () -> [String]) throws {
    if json {
      try Terminal.show(json: [value])
    } else {
      Terminal.show(lines())
    }
  }
}

/// The options for the form of a command's output.
struct FormOptions: ParsableArguments {
  @Flag(name: .customLong("json"), help: "Print JSON, one object a line.")
  var isJSONWanted = false

  /// Whether to print JSON: when that was asked for, and always to a program.
  var json: Bool { isJSONWanted || Terminal.output.wantsJSON }
}
