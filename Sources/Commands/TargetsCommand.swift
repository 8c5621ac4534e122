import API
import ArgumentParser
import Console

/// `platenctl targets`.
struct TargetsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "targets", abstract: "Look at where pictures go, and let uploads be tried now.",
    subcommands: [
      TargetsListCommand.self, TargetsShowCommand.self, TargetsRetryCommand.self,
      TargetsPauseCommand.self, TargetsResumeCommand.self,
    ], defaultSubcommand: TargetsListCommand.self)
}

/// `platenctl targets list`.
struct TargetsListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the targets and what their uploads do.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.report { client in
      let targets = try await client.status().targets
      try connection.show(TargetList(targets), as: targets)
    }
  }
}

/// `platenctl targets show NAME`.
struct TargetsShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything that is known of a target.")

  @OptionGroup var connection: ConnectionOptions

  @Argument(help: "The target's name.")
  var name: String

  func run() async throws {
    try await connection.report { client in
      let status = try await client.status()
      guard let target = status.targets.first(where: { $0.name == name }) else {
        throw RigClientError.refused(
          APIError(.notFound, "This rig has no target \"\(name)\"; \"targets\" lists them."))
      }
      let totals = try await client.call(Operations.spoolStatistics).targets
      let total = totals.first { $0.target == name && $0.isConfigured }
      try connection.show(TargetFacts(target, total), as: [target])
    }
  }
}

/// `platenctl targets retry`.
struct TargetsRetryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Try now what waits for a target, or for all of them.",
    discussion: """
      What was set aside is not tried; "spool retry" lets it wait again. Uploads that are held back \
      stay so.
      """)

  @OptionGroup var connection: ConnectionOptions

  @Argument(help: "The target's name; all targets by default.")
  var name: String?

  func run() async throws {
    try await connection.report { client in
      let report = try await client.call(Operations.retryTargets, TargetRetryRequest(target: name))
      try connection.show(
        report,
        or: report.targets.isEmpty
          ? ["no targets are configured"]
          : ["tried now: \(report.targets.joined(separator: ", "))"])
    }
  }
}

/// `platenctl targets pause`.
struct TargetsPauseCommand: ConfirmedCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Hold all uploads back until they are resumed.",
    discussion: "A restart of the service lets them go on, too; a button may be bound to the same.")

  @OptionGroup var connection: ConnectionOptions

  @OptionGroup var confirmed: ConfirmationOptions

  var confirmation: Confirmation? {
    Confirmation("This holds all uploads back until somebody resumes them", word: .rig)
  }

  func run() async throws {
    try await connection.report { client in
      let report = try await client.call(Operations.pauseUploads)
      try connection.show(report, or: ["uploads are held back; \"targets resume\" lets them go on"])
    }
  }
}

/// `platenctl targets resume`.
struct TargetsResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Let uploads go on that a technician holds back.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.report { client in
      let report = try await client.call(Operations.resumeUploads)
      try connection.show(report, or: ["uploads go on"])
    }
  }
}
