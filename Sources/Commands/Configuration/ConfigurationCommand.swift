import API
import ArgumentParser
import Console
import Settings

/// `platenctl config`.
struct ConfigurationCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Look at the configuration file, check it, change it, and take changes back.",
    discussion: """
      What is written holds from the next start of the service. Where the service does not run, the \
      file itself is used, if its permissions allow.
      """,
    subcommands: [
      ConfigurationShowCommand.self, ConfigurationCheckCommand.self,
      ConfigurationSetCommand.self, ConfigurationHistoryCommand.self,
      ConfigurationDiffCommand.self, ConfigurationRollbackCommand.self,
      ConfigurationExplainCommand.self,
    ])
}

/// The options of the commands that use the file.
struct ConfigurationOptions: ParsableArguments {
  @OptionGroup var connection: ConnectionOptions

  @Option(help: "The file, for use without the service.")
  var config = LocalService.configurationPath

  /// Asks the service, or its program where no service runs.
  ///
  /// An act whose answer did not come may have been done, so the program does not repeat it. The
  /// program's acts are written to the system's log, because the audit log is the service's.
  ///
  /// - Parameters:
  ///   - endpoint: the operation of the service.
  ///   - input: the operation's input.
  ///   - local: the same request for the program.
  ///   - isTooLong: whether the request is too long for the service, so that its program is asked
  ///     at once.
  /// - Throws: `ExitCode`.
  func ask<Input, Answer>(
    _ endpoint: Endpoint<Input, Answer>, _ input: Input, or local: LocalConfigurationRequest,
    isTooLong: Bool = false
  ) async throws -> Answer {
    let arguments = ["--configure", "--config", config]
    let request = try APICoding.encode(local)
    if isTooLong {
      return try await LocalService.answer(arguments, input: request, needsEnd: false)
    }
    guard local.change != nil || local.rollback != nil else {
      return try await connection.look("using the file itself", arguments, input: request) {
        try await $0.call(endpoint, input)
      }
    }
    var answer: Answer?
    try await connection.report { client in
      do throws(RigClientError) {
        answer = try await client.call(endpoint, input)
      } catch {
        guard case .unreachable = error else { throw error }
        SystemManager.note(local, to: config)
        answer = try await LocalService.answer(arguments, input: request)
        if let report = answer as? ConfigurationChangeReport {
          SystemManager.note(report, to: config)
        }
      }
    }
    guard let answer else { throw ExitCode(69) }
    return answer
  }
}

/// `platenctl config explain`.
struct ConfigurationExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explain keys; needs no service.",
    discussion: "Without a key all of them. A key with a section's name explains the section.")

  @Argument(help: "The key, or the beginning of its path, for example camera.exposure.")
  var key: String?

  @OptionGroup var form: FormOptions

  func run() async throws {
    let request = LocalConfigurationRequest(\.keys, true)
    let all: [ConfigurationKey] = try await LocalService.answer(
      ["--configure"], input: try APICoding.encode(request))
    let keys = all.filter { known in key.map { known.isMeant(by: $0) } ?? true }
    guard !keys.isEmpty else {
      Terminal.complain("There is no key \"\(key ?? "")\" in the configuration.")
      throw ExitCode(1)
    }
    if form.json {
      try Terminal.show(json: keys)
    } else {
      Terminal.show(keys.flatMap { $0.rendered(width: Terminal.width) })
    }
  }
}
