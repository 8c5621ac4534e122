import API
import Capture
import Devices
import Spool

/// The doctor's examination from within the service.
extension RigModel {
  func addDoctor(to operations: inout OperationHandlers) {
    operations.on(Operations.examine) { await examine($0.parts) }
  }

  func examine(_ parts: [DoctorPart]) async -> DoctorReport {
    let evidence = await doctorEvidence()
    let findings = await doctor.examine(parts.map { evidence.check(of: $0) })
    return DoctorReport(
      rig: rigID, version: PlatenVersion.current, isServiceRunning: true, findings: findings)
  }

  private func doctorEvidence() async -> DoctorEvidence {
    let status = await status()
    let thermal = status.thermal
    let spoolReport = status.spool
    let statistics = try? await ask(within: .seconds(1)) { spool throws(SpoolError) in
      try await spool.stats()
    }
    let parked = (statistics?.targets ?? []).reduce(into: [String: Int]()) {
      $0[$1.target.rawValue] = $1.parked
    }
    let record = RestartRecordFile(directory: spoolConfiguration.directory)
    let probe = TargetProbe(clock: SystemMonotonicClock())
    let servers = NameServerProbe(clock: SystemMonotonicClock())
    return DoctorEvidence(
      path: configuration?.source?.path, configuration: configuration, status: status,
      networkProblem: listeningProblems.problem(at: .network),
      socketProblem: listeningProblems.problem(at: .socket),
      accountsProblem: listeningProblems.problem(at: .accounts), reasons: await doctorReasons(),
      clock: WallClock().reading(at: SystemMonotonicClock().now),
      user: .current, lines: .ofKernel(isServiceRunning: true),
      record: { Result { () throws(DeviceError) in try record.read() } },
      flags: { .success(thermal.firmware) }, thermal: { thermal },
      index: { [spool] in
        // A failed spool still reports its error. A spool whose disk hangs is not asked.
        guard let failure = await spool.persistentFailure else {
          return .open(spoolReport, brokenIndex: spool.recovery.brokenIndex)
        }
        return .failed("\(failure)")
      },
      targets: targets.map { TargetCheck.Target($0, parked: parked[$0.section.name]) },
      askNameServer: { await servers.ask($0) }, probe: { await probe.probe($0) })
  }

  /// Returns the session's problems, with their causes where these are known.
  private func doctorReasons() async -> [DoctorReason] {
    let lasting = await interruptions().lasting.compactMap { report in
      InterruptionReason(rawValue: report.reason).map {
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
