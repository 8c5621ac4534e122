import API
import ArgumentParser
import Console

/// `platenctl config set`.
struct ConfigurationSetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set a key in the file; comments and order stay.",
    discussion: """
      The file is written only when the service could start with it, and the old text is kept. \
      Secrets are files: name one with the key that ends with _file.
      """)

  @OptionGroup var options: ConfigurationOptions

  @Argument(help: "The key's path, for example camera.frame_rate.")
  var key: String

  @Argument(help: "The value in YAML, for example 25 or \"[full, thumbnail]\".")
  var value: String

  @Option(help: "The hash that the file must have, as show tells it.")
  var ifHash: String?

  func run() async throws {
    let change = ConfigurationChange(set: [key: value], ifHash: ifHash)
    let report = try await options.ask(
      Operations.changeConfiguration, change, or: LocalConfigurationRequest(\.change, change))
    try options.connection.show(report)
  }
}

/// `platenctl config rollback`.
struct ConfigurationRollbackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback", abstract: "Bring an earlier text of the file back.",
    discussion: """
      What is replaced is kept, so that a rollback can be rolled back. A file that is gone, damaged or \
      wrong is replaced, too; without --to by the last good text.
      """)

  @OptionGroup var options: ConfigurationOptions

  @Option(help: "The text's number as history lists it, 0 for the last good one; the newest.")
  var to: Int?

  @Option(help: "The hash that the file must have, as show tells it.")
  var ifHash: String?

  func run() async throws {
    let rollback = ConfigurationRollback(to: to, ifHash: ifHash)
    let report = try await options.ask(
      Operations.rollBackConfiguration, rollback,
      or: LocalConfigurationRequest(\.rollback, rollback))
    try options.connection.show(report)
  }
}
