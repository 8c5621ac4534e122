import API
import Devices

/// Examines the parts of a rig side by side, each on a queue of its own.
///
/// A part that hangs, such as a disk that does not answer, keeps only its own queue; whoever asks
/// meanwhile is told so, and the question is not asked again before it is answered.
actor Doctor {
  /// How long a part may take: three steps of the network, and something.
  static let patience = Duration.seconds(8)

  /// Where one part is examined; its calls may block.
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

  init(clock: any MonotonicClock) {
    self.clock = clock
  }

  /// Examines, and gives the findings in the order of the checks.
  func examine(_ checks: [any DoctorCheck]) async -> [DoctorReport.Finding] {
    // Side by side: parts that hang are waited for once and not one after the other.
    await withTaskGroup(of: (Int, [DoctorReport.Finding]).self) { [clock] group in
      for (number, check) in checks.enumerated() {
        let task = examination(of: check)
        group.addTask {
          let findings = await answer(within: Self.patience, clock) { await task.value }
          let silence = "it does not answer within \(Self.patience)"
          return (number, findings ?? [check.notChecked(silence)])
        }
      }
      var findings = Array(repeating: [DoctorReport.Finding](), count: checks.count)
      for await (number, found) in group { findings[number] = found }
      return findings.flatMap(\.self)
    }
  }

  /// The examination of a part that runs already, or a new one.
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
