import API
import ArgumentParser
import Console
import Devices
import Foundation

/// `platenctl time`.
struct TimeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "time", abstract: "Show what the rig knows of the time, and set its clock.",
    subcommands: [TimeShowCommand.self, TimeSetCommand.self],
    defaultSubcommand: TimeShowCommand.self)
}

/// `platenctl time set`.
struct TimeSetCommand: ConfirmedCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set the machine's clock by hand, where there is no network.",
    discussion: """
      The time is given with its zone, 2026-11-22T21:30:00Z or 2026-11-22T22:30:00+01:00, or in the \
      rig's own, 2026-11-22 21:30, which the question and the answer then name; the years are \
      2026 to 2099.

      systemd does it, also while the service does not run, lets members of the group \
      platen-technician do it, and enters it into the journal. A time service (NTP) that is switched \
      on is off meanwhile, and corrects the clock as soon as it reaches a server.
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var confirmed: ConfirmationOptions

  @Argument(help: "The time, for example 2026-11-22T21:30:00Z.")
  var time: [String]

  private struct Report: Encodable {
    let time: String
  }

  func validate() throws {
    do {
      _ = try instant()
    } catch {
      throw ValidationError(error.description)
    }
  }

  var confirmation: Confirmation? {
    guard let instant = try? instant() else { return nil }
    let now = Date().formatted(.iso8601)
    return Confirmation(
      "This sets the rig's clock to \(instant.explainedText); it says \(now) now", word: .rig)
  }

  func run() async throws {
    let instant = try instant()
    do throws(LocalProgram.Failure) {
      try await connection.passingTime("setting the clock") { () throws(LocalProgram.Failure) in
        try await SystemClock().set(instant)
      }
    } catch {
      Terminal.complain(error.description)
      throw ExitCode(1)
    }
    let result = "The clock was set to \(instant.explainedText)."
    // The result is shown after an interruption too, because the clock was set nevertheless.
    if Task.isCancelled { Terminal.complain(result) }
    try connection.show(Report(time: instant.text), or: [result])
  }

  /// Returns the instant that the words name; a time without a zone may be two words.
  private func instant() throws(ClockInstant.Problem) -> ClockInstant {
    try ClockInstant(time.joined(separator: " "))
  }
}
