package import API
package import Devices
import RigConfiguration

/// An examiner of the parts of a rig in parallel, each on a separate queue.
///
/// A part that hangs, such as a disk that does not answer, blocks only its own queue. Callers
/// meanwhile get a timeout, and the examination is not started again before it has ended.
package actor Doctor {
  /// The time that a part may take: three steps of the network, and a margin.
  static let timeout = Duration.seconds(8)

  /// The separate queue of one part, on which calls may block.
  private actor Bench {
    private let executor: DispatchQueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ part: DoctorPart) {
      executor = DispatchQueueExecutor(label: "platen.doctor.\(part.rawValue)")
    }

    func findings(of check: any DoctorCheck) async -> [DoctorReport.Finding] {
      await check.findings()
    }
  }

  private let clock: any MonotonicClock
  private var benches: [DoctorPart: Bench] = [:]
  private var running: [DoctorPart: Task<[DoctorReport.Finding], Never>] = [:]

  /// Makes an examiner.
  ///
  /// - Parameter clock: the clock that measures the time that a part takes.
  package init(clock: any MonotonicClock) {
    self.clock = clock
  }

  /// Examines parts of a rig in their own order, by what is known of the rig.
  package func report(
    on parts: [DoctorPart], by evidence: DoctorEvidence
  ) async -> DoctorReport {
    let findings = await examine(parts.map { evidence.check(of: $0) })
    return DoctorReport(
      rig: evidence.status?.rig ?? evidence.configuration?.rigID, version: PlatenVersion.current,
      isServiceRunning: evidence.status != nil, findings: findings)
  }

  /// Examines parts and returns the findings in the order of the checks.
  func examine(_ checks: [any DoctorCheck]) async -> [DoctorReport.Finding] {
    // The checks run in parallel, so that the timeouts of several hanging parts do not add up.
    await withTaskGroup(of: (Int, [DoctorReport.Finding]).self) { [clock] group in
      for (number, check) in checks.enumerated() {
        let task = examination(of: check)
        group.addTask {
          let findings = await answer(within: Self.timeout, clock) { await task.value }
          let silence = "it does not answer within \(Self.timeout)"
          return (number, findings ?? [check.notChecked(silence)])
        }
      }
      var findings = Array(repeating: [DoctorReport.Finding](), count: checks.count)
      for await (number, found) in group { findings[number] = found }
      return findings.flatMap(\.self)
    }
  }

  /// Returns the running examination of a part, or starts a new one.
  private func examination(
    of check: any DoctorCheck
  ) -> Task<[DoctorReport.Finding], Never> {
    let part = check.part
    if let task = running[part] { return task }
    let bench = benches[part] ?? Bench(part)
    benches[part] = bench
    let task = Task {
      let findings = await bench.findings(of: check)
      running[part] = nil
      return findings
    }
    running[part] = task
    return task
  }
}
