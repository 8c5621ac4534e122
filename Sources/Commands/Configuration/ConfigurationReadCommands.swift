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
    let report = try await options.ask(
      Operations.configurationFile, NoInput(), or: LocalConfigurationRequest(\.show, true))
    try options.connection.show(report)
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
    let report = try await options.ask(
      Operations.checkConfiguration, ConfigurationCheckRequest(text),
      or: LocalConfigurationRequest(\.check, text), isTooLong: isTooLong(text)
    ).naming(file)
    try options.connection.show(report)
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
    let history = try await options.ask(
      Operations.configurationHistory, NoInput(), or: LocalConfigurationRequest(\.history, true))
    try options.connection.show(history)
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
    let difference = try await options.ask(
      Operations.configurationDifference, ConfigurationVersion(number),
      or: LocalConfigurationRequest(\.difference, number))
    try options.connection.show(difference)
  }
}
