import API
import ArgumentParser
import Console
import Devices

/// `platenctl reboot`.
struct RebootCommand: EndingCommand {
  static let configuration = CommandConfiguration(
    commandName: "reboot", abstract: "Stop the service in order, then reboot the machine.",
    discussion: EndingHelp.text)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var confirmed: ConfirmationOptions

  var ending: EndingReport.Ending { .machineRestart }
  var deed: String { "This reboots the machine; no picture can be taken meanwhile" }
}

/// `platenctl poweroff`.
struct PowerOffCommand: EndingCommand {
  static let configuration = CommandConfiguration(
    commandName: "poweroff", abstract: "Stop the service in order, then power the machine off.",
    discussion: EndingHelp.text)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var confirmed: ConfirmationOptions

  var ending: EndingReport.Ending { .powerOff }
  var deed: String { "This powers the machine off; it has to be switched on by hand" }
}

/// `platenctl service restart`.
struct ServiceRestartCommand: EndingCommand {
  static let configuration = CommandConfiguration(
    commandName: "restart", abstract: "Stop the service in order; systemd restarts it.",
    discussion: EndingHelp.text)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var confirmed: ConfirmationOptions

  var ending: EndingReport.Ending { .serviceRestart }
  var deed: String { "This restarts the service; no picture can be taken meanwhile" }
}

/// The help that the commands share.
private enum EndingHelp {
  static let text = """
    Presses in flight get their outcome, and the spool is settled before. Where the service does \
    not answer, cannot write its audit log or cannot end the machine, systemd is asked. Members of \
    the group platen-technician may do that.
    """
}

/// A command that ends the service or the machine.
protocol EndingCommand: ConfirmedCommand {
  /// The kind of end.
  var ending: EndingReport.Ending { get }
  /// The consequence of the end, a sentence without its full stop.
  var deed: String { get }
}

extension EndingCommand {
  var confirmation: Confirmation? { Confirmation(deed, word: .rig) }

  func run() async throws {
    try await connection.report { client in
      var board = ""
      let report: EndingReport
      do {
        let status = try await client.waiting(ConnectionOptions.timeout).status()
        board = status.board
        report = try await client.call(ending.operation, EndingConfirmation(status.rig))
      } catch RigClientError.unreachable {
        report = try await withoutService("the service does not answer; asking systemd")
      } catch RigClientError.interrupted {
        // A person who canceled the command wants nothing ended.
        try Task.checkCancellation()
        report = try await withoutService("the service does not answer; asking systemd")
      } catch RigClientError.refused(let refusal)
        where SystemManager.mayEnd(ending, after: refusal, board: board)
      {
        report = try await withoutService(
          "the service cannot do it: \(refusal.message) Asking systemd.")
      }
      try connection.show(report)
    }
  }

  private func withoutService(_ notice: String) async throws -> EndingReport {
    Terminal.complain(notice)
    do {
      try await SystemManager().end(ending)
    } catch {
      Terminal.complain(error.description)
      throw ExitCode(1)
    }
    return EndingReport(ending: ending, pressesInFlight: 0)
  }
}
