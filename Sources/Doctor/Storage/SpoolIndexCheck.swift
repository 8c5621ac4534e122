import API
import Devices
import Spool

/// The check of the spool's index and of quarantined pictures.
struct SpoolIndexCheck: DoctorCheck {
  /// The knowledge of the index.
  enum Evidence: Sendable, Hashable {
    /// The service has opened the index, with this report.
    case open(SpoolReport, brokenIndex: String?)
    /// The service cannot use the index.
    case failed(String)
    /// The index was examined from outside.
    case inspected(SpoolInspection)
  }

  let part = DoctorPart.index
  /// Examines the index.
  let look: @Sendable () async -> Evidence

  func findings() async -> [DoctorReport.Finding] {
    switch await look() {
    case .open(let spool, let brokenIndex):
      var findings = quarantined(spool.quarantined)
      if let brokenIndex {
        findings.append(
          warning(.indexRebuilt, "the index was damaged and made anew at the start: \(brokenIndex)")
        )
      }
      return findings.isEmpty
        ? [ok(Self.inOrder(waiting: spool.waiting, parked: spool.parked))] : findings
    case .failed(let cause): return [fault(.indexDamaged, cause)]
    case .inspected(let inspection): return findings(of: inspection)
    }
  }

  private func findings(of inspection: SpoolInspection) -> [Finding] {
    switch inspection.index {
    case .inOrder(let waiting, let parked, let count):
      let findings = quarantined(count)
      let rebuilt = inspection.wasRebuilt ? "; an earlier one was damaged and lies beside it" : ""
      return findings.isEmpty
        ? [ok(Self.inOrder(waiting: waiting, parked: parked) + rebuilt)] : findings
    case .absent: return [ok("there is none; the next start makes it from the pictures")]
    case .damaged(let cause): return [fault(.indexDamaged, "the index is damaged: \(cause)")]
    case .newer(let version):
      return [fault(.indexNewer, "a newer version of the software wrote it (schema \(version))")]
    case .inUse(let process):
      let name = process > 0 ? "process \(process)" : "a process"
      return [notChecked("\(name) has the spool open, but does not answer")]
    case .unknown(let cause): return [notChecked("it cannot be looked at: \(cause)")]
    }
  }

  private func quarantined(_ count: Int) -> [Finding] {
    count == 0
      ? []
      : [
        warning(
          .picturesQuarantined,
          "\(count.counted("picture is", "pictures are")) damaged or missing and put aside")
      ]
  }

  private static func inOrder(waiting: Int, parked: Int) -> String {
    "in order; \(waiting.counted("picture waits", "pictures wait")), "
      + "\(parked.counted("is", "are")) set aside"
  }
}
