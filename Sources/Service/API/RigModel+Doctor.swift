import API
import Capture
import Devices
import Doctor
import RigConfiguration
import Spool
import Upload

/// The doctor's examination from within the service.
extension RigModel {
  func addDoctor(to operations: inout OperationHandlers) {
    operations.on(Operations.examine) { await examine($0.parts) }
  }

  func examine(_ parts: [DoctorPart]) async -> DoctorReport {
    await doctor.report(on: parts, by: await doctorEvidence())
  }

  private func doctorEvidence() async -> DoctorEvidence {
    let statistics = try? await ask(within: .seconds(1)) { spool throws(SpoolError) in
      try await spool.stats()
    }
    let parked = (statistics?.targets ?? []).reduce(into: [String: Int]()) {
      $0[$1.target.rawValue] = $1.parked
    }
    return DoctorEvidence(
      of: await status(), configuration: configuration, spool: spool,
      directory: spoolConfiguration.directory, reasons: await doctorReasons(),
      targets: targets.map {
        TargetCheck.Target($0.section, $0.uploader.status, parked: parked[$0.section.name])
      },
      networkProblem: listeningProblems.problem(at: .network),
      socketProblem: listeningProblems.problem(at: .socket),
      accountsProblem: listeningProblems.problem(at: .accounts))
  }

  /// Returns the session's problems, with their causes where these are known.
  private func doctorReasons() async -> [DoctorReason] {
    let lasting = await interruptions().lasting.compactMap { report in
      report.reason.value.map {
        DoctorReason($0, cause: report.cause, refuses: report.refuses)
      }
    }
    let readiness = session.readiness
    let known = Set(lasting.map(\.reason))
    return lasting
      + readiness.reasons.filter { !known.contains($0) }.map { DoctorReason($0) }
      + readiness.warnings.filter { !known.contains($0) }.map { DoctorReason($0, refuses: false) }
  }
}
