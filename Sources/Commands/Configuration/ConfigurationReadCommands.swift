import API
import ArgumentParser
import Console
import Foundation

/// `platenctl config show`.
struct ConfigurationShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the file, and whether it is what runs.")

  @OptionGroup var options: ConfigurationOptions

  func run() async throws {
    var local = LocalConfigurationRequest()
    local.show = true
    let report = try await options.ask(local) { client throws(RigClientError) in
      try await client.call(Operations.configurationFile)
    }
    let view = ConfigurationView(width: Terminal.width)
    try options.connection.show(report, or: view.lines(report))
  }
}

/// `platenctl config check`.
struct ConfigurationCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Say what is wrong in a file, before it is used.",
    discussion: """
      Exits with 1 when something is. A file that is longer than the service takes is checked by its \
      program.
      """)

  @OptionGroup var options: ConfigurationOptions

  @Argument(help: "The file to check, 1 MiB at most; - for the standard input, not in the console.")
  var file: String

  func validate() throws {
    // The console reads the standard input itself, so the command would never see its end.
    if file == "-", ConnectionOptions.consoleSocket != nil {
      throw ValidationError("The standard input is the console's own; name a file.")
    }
  }

  func run() async throws {
    let text: String
    do throws(NamedText.Failure) {
      text =
        try file == "-"
        ? NamedText.read(STDIN_FILENO, named: file) : NamedText.read(file: file)
    } catch {
      Terminal.complain(error.description)
      throw ExitCode(1)
    }
    var local = LocalConfigurationRequest()
    local.check = text
    let report = try await options.ask(local, isTooLong: isTooLong(text)) {
      client throws(RigClientError) in
      try await client.call(Operations.checkConfiguration, ConfigurationCheckRequest(text))
    }.naming(file)
    let view = ConfigurationView(width: Terminal.width)
    try options.connection.show(report, or: view.lines(report))
    guard report.issues.isEmpty else { throw ExitCode(1) }
  }

  /// Returns whether a text is too long for a request to the service.
  ///
  /// A file may be longer than such a request.
  private func isTooLong(_ text: String) throws -> Bool {
    let limit = APIConfiguration(socketPath: options.connection.socket).maximumBodyBytes
    return try APICoding.encode(text).count > limit
  }
}

/// `platenctl config history`.
struct ConfigurationHistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List the earlier texts of the file.")

  @OptionGroup var options: ConfigurationOptions

  func run() async throws {
    var local = LocalConfigurationRequest()
    local.history = true
    let history = try await options.ask(local) { client throws(RigClientError) in
      try await client.call(Operations.configurationHistory)
    }
    let view = ConfigurationView(width: Terminal.width)
    try options.connection.show(history, or: view.lines(history))
  }
}

/// `platenctl config diff`.
struct ConfigurationDiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show what a return to an earlier text would change.")

  @OptionGroup var options: ConfigurationOptions

  @Argument(help: "The text's number as history lists it; 0 for the last good one.")
  var number: Int

  func run() async throws {
    var local = LocalConfigurationRequest()
    local.difference = number
    let difference = try await options.ask(local) { client throws(RigClientError) in
      try await client.call(Operations.configurationDifference, ConfigurationVersion(number))
    }
    let view = ConfigurationView(width: Terminal.width)
    try options.connection.show(difference, or: view.lines(difference))
  }
}
