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

  @Option(help: "The configuration file, for an examination without the service.")
  var config = "/etc/platen/platen.yaml"

  func validate() throws {
    if let part, DoctorPart(rawValue: part) == nil {
      let parts = DoctorPart.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--part must be one of \(parts), not \"\(part)\".")
    }
  }

  func run() async throws {
    var hasFault = false
    try await connection.report { client in
      let report = try await connection.passingTime("examining") { try await examine(client) }
      try connection.show(report, or: DoctorView(width: Terminal.width).lines(report))
      hasFault = report.count(.fault) > 0
    }
    guard !hasFault else { throw ExitCode(1) }
  }

  /// Returns the report of the service, or of its program where no service answers.
  private func examine(_ client: RigClient) async throws -> DoctorReport {
    do throws(RigClientError) {
      return try await client.waiting(.seconds(30)).call(
        Operations.examine, DoctorPartChoice(part.flatMap { DoctorPart(rawValue: $0) }))
    } catch {
      switch error {
      case .unreachable(_, let cause):
        Terminal.complain("the service does not answer (\(cause)); examining without it")
      case .interrupted(_, let cause):
        try Task.checkCancellation()
        Terminal.complain("the service broke off (\(cause)); examining without it")
      default: throw error
      }
    }
    return try await withoutService()
  }

  /// Returns the report of the service's own program, which then examines the rig by itself.
  private func withoutService() async throws -> DoctorReport {
    do {
      let arguments =
        ["--doctor", "--json", "--config", config] + (part.map { ["--part", $0] } ?? [])
      let outcome = try await LocalService().run(arguments, needsEnd: false)
      return try APICoding.decode(DoctorReport.self, from: outcome.output)
    } catch let failure as LocalService.Failure {
      // The person who ended the command knows why there is no report.
      try Task.checkCancellation()
      Terminal.complain(failure.description)
    } catch let error as APIError {
      Terminal.complain("The report of platend cannot be understood: \(error.message)")
    }
    throw ExitCode(69)
  }
}
