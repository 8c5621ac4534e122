package import API
import Devices
package import RigConfiguration
package import Spool

extension DoctorEvidence {
  /// Makes the evidence of the service that runs in this process.
  ///
  /// - Parameters:
  ///   - status: the service's status.
  ///   - configuration: the running configuration; `nil` for a service that was given none.
  ///   - spool: the open spool.
  ///   - directory: the spool's directory, which has the record of restarts, too.
  ///   - reasons: the session's current reasons.
  ///   - targets: the targets, with the service's knowledge of them.
  ///   - networkProblem: the reason why the API is not served over TCP.
  ///   - socketProblem: the reason why the API's socket lacks its configured group.
  ///   - accountsProblem: the accounts with access to the API that the machine does not know.
  package init(
    of status: RigStatus, configuration: PlatenConfiguration?, spool: Spool, directory: String,
    reasons: [DoctorReason], targets: [TargetCheck.Target], networkProblem: String?,
    socketProblem: String?, accountsProblem: String?
  ) {
    let clock = SystemMonotonicClock()
    let (thermal, spoolReport) = (status.thermal, status.spool)
    let record = RestartRecordFile(directory: directory)
    let probe = TargetProbe(clock: clock)
    let servers = NameServerProbe(clock: clock)
    self.init(
      path: configuration?.source?.path, configuration: configuration, status: status,
      networkProblem: networkProblem, socketProblem: socketProblem,
      accountsProblem: accountsProblem, reasons: reasons,
      clock: WallClock().reading(at: clock.now), user: .current,
      lines: .ofKernel(isServiceRunning: true),
      record: { Result { () throws(DeviceError) in try record.read() } },
      flags: {
        if let problem = thermal.firmwareProblem {
          return .failure(SupplyCheck.Unreadable(text: problem))
        }
        return .success(thermal.firmware)
      },
      thermal: { thermal },
      index: {
        // A failed spool still reports its error. A spool whose disk hangs is not asked.
        guard let failure = await spool.persistentFailure else {
          return .open(spoolReport, brokenIndex: spool.recovery.brokenIndex)
        }
        return .failed("\(failure)")
      },
      targets: targets, askNameServer: { await servers.ask($0) },
      probe: { await probe.probe($0) })
  }
}
