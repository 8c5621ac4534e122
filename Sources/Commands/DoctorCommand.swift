import API
import ArgumentParser
import Console

/// `platenctl doctor`.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Examine the rig part by part, and say what to do about what is wrong.",
    discussion: """
      Where the service does not run, what can be examined without it is examined all the same.

      Exits with 1 when there is a fault.
      """)

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "The only part to examine; all by default.")
  var part: DoctorPart?

  @OptionGroup var examination: Examination

  func run() async throws {
    try await examination.show(part.map { [$0] } ?? [], over: connection)
  }
}
