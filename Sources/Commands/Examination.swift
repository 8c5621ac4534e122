import API
import ArgumentParser
import Console
import Devices

/// The options and the work of the commands that show the doctor's findings.
struct Examination: ParsableArguments {
  @Option(help: "The configuration file, for an examination without the service.")
  var config = LocalService.configurationPath

  /// Examines parts of the rig, and shows the findings.
  ///
  /// - Parameters:
  ///   - parts: the parts in their order; all of them for an empty list.
  ///   - connection: the options of the command.
  /// - Throws: `ExitCode` 1 when there is a fault, and as ``ConnectionOptions/report(_:)``.
  func show(_ parts: [DoctorPart], over connection: ConnectionOptions) async throws {
    var hasFault = false
    try await connection.report { client in
      let report = try await connection.passingTime("examining") {
        () async throws -> DoctorReport in
        try await self.report(on: parts, client)
      }
      try connection.show(report)
      hasFault = report.count(.fault) > 0
    }
    guard !hasFault else { throw ExitCode(1) }
  }

  /// Returns the report of the service, or of its program where no service answers.
  private func report(on parts: [DoctorPart], _ client: RigClient) async throws -> DoctorReport {
    do {
      let limited = client.waiting(.seconds(30))
      return try await joined(parts) { part in
        try await limited.call(Operations.examine, DoctorPartChoice(part))
      }
    } catch RigClientError.unreachable(_, let cause) {
      Terminal.complain("the service does not answer (\(cause)); examining without it")
    } catch RigClientError.interrupted(_, let cause) {
      try Task.checkCancellation()
      Terminal.complain("the service broke off (\(cause)); examining without it")
    }
    return try await joined(parts) { try await withoutService($0) }
  }

  /// Returns one report on some parts, or on all for an empty list.
  private func joined(
    _ parts: [DoctorPart], _ ask: (DoctorPart?) async throws -> DoctorReport
  ) async throws -> DoctorReport {
    let whole = try await ask(parts.first)
    var findings = whole.findings
    for part in parts.dropFirst() { findings += try await ask(part).findings }
    return DoctorReport(
      rig: whole.rig, version: whole.version, isServiceRunning: whole.isServiceRunning,
      findings: findings)
  }

  /// Returns the report of the service's own program, which then examines the rig by itself.
  private func withoutService(_ part: DoctorPart?) async throws -> DoctorReport {
    do {
      let arguments =
        ["--doctor", "--json", "--config", config] + (part.map { ["--part", $0.rawValue] } ?? [])
      let outcome = try await LocalService().run(arguments, needsEnd: false)
      return try APICoding.decode(DoctorReport.self, from: outcome.output)
    } catch let failure as LocalProgram.Failure {
      // The person who ended the command knows why there is no report.
      try Task.checkCancellation()
      Terminal.complain(failure.description)
    } catch let error as APIError {
      Terminal.complain("The report of platend cannot be understood: \(error.message)")
    }
    throw ExitCode(69)
  }
}
