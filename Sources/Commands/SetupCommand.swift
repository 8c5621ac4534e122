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

  /// The time that the restarted service has to become ready.
  private static let restartTimeout = Duration.seconds(90)

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
    try await restart()
    try await tryOut()
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

  // MARK: the result

  /// Restarts the service and waits until it is ready, for ``restartTimeout`` at most.
  private func restart() async throws {
    let begun = ContinuousClock.now
    do {
      try await CommandRunner.perform(
        ["service", "restart", "--yes"] + options, isConfirmed: true)
    } catch {
      Terminal.complain("The configuration holds from the next start of the service.")
      throw error
    }
    await connection.passingTime("waiting for the service") { () async -> Void in
      while !Task.isCancelled, begun.duration(to: .now) < Self.restartTimeout {
        let status = await currentStatus()
        // The old service may still answer.
        let age = begun.duration(to: .now) / .seconds(1)
        if let status, status.uptimeSeconds < age, status.readiness.state.value == .ready { return }
        // The stream of events ends with the old service.
        try? await Task.sleep(for: .milliseconds(500))
      }
    }
    try Task.checkCancellation()
  }

  /// Lets the doctor examine the rig, and takes a first picture where a press would be taken.
  private func tryOut() async throws {
    var failure: (any Error)?
    do { try await CommandRunner.perform(["doctor"] + options) } catch { failure = error }
    let readiness = await currentStatus()?.readiness
    guard readiness?.state.value == .ready else {
      let reason =
        readiness.map { $0.reasons.first?.rawValue ?? $0.state.rawValue }
        ?? "the service does not answer"
      Terminal.complain(
        "No picture was taken: \(reason). Do what the doctor says, then run \"platenctl shoot\".")
      throw ExitCode(1)
    }
    try await CommandRunner.perform(["shoot"] + options)
    if let failure { throw failure }
  }

  private func currentStatus() async -> RigStatus? {
    try? await connection.client.status(within: ConnectionOptions.timeout)?.get()
  }

  /// The options that lead the other commands to the same service.
  private var options: [String] {
    let socket = ConnectionOptions.consoleSocket == nil ? ["--socket", connection.socket] : []
    return socket + (connection.form.isJSONWanted ? ["--json"] : [])
  }
}
