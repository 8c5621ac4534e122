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

      Exits with 1 when there is a fault. Parts: \
      \(DoctorPart.allCases.map(\.rawValue).joined(separator: ", ")).
      """)

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "The only part to examine; all by default.")
  var part: String?

  @OptionGroup var examination: Examination

  func validate() throws {
    if let part, DoctorPart(rawValue: part) == nil {
      let parts = DoctorPart.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--part must be one of \(parts), not \"\(part)\".")
    }
  }

  func run() async throws {
    let chosen = part.flatMap { DoctorPart(rawValue: $0) }
    try await examination.show(chosen.map { [$0] } ?? [], over: connection)
  }
}
