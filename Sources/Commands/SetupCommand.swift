import API
import ArgumentParser
import Console
import Devices

/// `platenctl setup`.
struct SetupCommand: ConfirmedCommand, ManneredCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Set the rig up: its name, camera, target and time zone.",
    discussion: """
      Asks at a terminal, or takes a setup file as it may lie on the boot partition. Everything is \
      checked first; secrets go to the rig's own store, and are erased from the file. Then the \
      service restarts, the doctor examines the rig, and a first picture is taken.
      """)

  /// The time that the setup has: encryption and the time zone wait for other services.
  private static let setupTimeout = Duration.seconds(180)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var confirmed: ConfirmationOptions

  @Option(help: "The setup file; without one the questions are asked.")
  var file: String?

  @Option(help: "The configuration file.")
  var config = LocalService.configurationPath

  var manner: CommandManner { .guides }

  var confirmation: Confirmation? {
    Confirmation(
      "This changes the configuration and restarts the service; no picture can be taken meanwhile",
      word: .rig)
  }

  private struct Report: Encodable {
    let lines: [String]
  }

  func run() async throws {
    let answers = try await file == nil ? askAll() : ""
    SystemManager.noteSetup(of: config)
    let outcome: LocalProgram.Outcome
    do throws(LocalProgram.Failure) {
      // Joined to its option, a name that begins with a hyphen is no option itself.
      outcome = try await LocalService(timeout: Self.setupTimeout).run(
        ["--set-up=\(file ?? "-")", "--config", config], input: Array(answers.utf8))
    } catch {
      try Task.checkCancellation()
      Terminal.complain(error.description)
      throw ExitCode(69)
    }
    let lines = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
      .map(String.init)
    guard outcome.status == 0 else {
      for line in lines { Terminal.complain(line) }
      throw ExitCode(1)
    }
    try connection.show(Report(lines: lines), or: lines)
    let picture = FirstPicture(connection: connection)
    let begun = ContinuousClock.now
    do {
      try await CommandRunner.perform(
        ["service", "restart", "--yes"] + picture.options, isConfirmed: true)
    } catch {
      Terminal.complain("The configuration holds from the next start of the service.")
      throw error
    }
    try await picture.untilReady(startedSince: begun)
    if let failure = try await picture.take() { throw failure }
  }

  /// Asks the questions; returns the answers in the form of a setup file.
  private func askAll() async throws -> String {
    let client = connection.client.waiting(ConnectionOptions.timeout)
    let rig = try? await client.status().rig
    let overview = try? await client.call(Operations.session)
    do throws(SetupInterview.Unanswered) {
      return try await SetupInterview(Terminal.output).answers(
        rig: rig, camera: overview?.cameras.count == 1 ? overview?.session.camera : nil
      ).document
    } catch {
      Terminal.complain(
        "\(error.description) Nothing was changed. Without a person, name a setup file with "
          + "--file.")
      throw ExitCode(64)
    }
  }
}
