import API
import Capture
import Devices

/// The check of the supply voltage, now and earlier, by the firmware's flags.
struct SupplyCheck: DoctorCheck {
  /// The reason why the firmware's flags cannot be read.
  struct Unreadable: Error {
    let text: String
  }

  let part = DoctorPart.supply
  /// Reads the firmware's flags; `nil` on a board without such firmware.
  let flags: @Sendable () async -> Result<ThrottleReport?, Unreadable>

  func findings() async -> [DoctorReport.Finding] {
    switch await flags() {
    case .failure(let problem): return [warning(.sensorUnreadable, problem.text)]
    case .success(nil): return [notChecked("this board's firmware says nothing of the supply")]
    case .success(let report?):
      let low = Word(ThrottleFlag.undervoltage)
      let others = report.now.filter { $0 != low }.map(\.rawValue)
      var findings: [Finding] = []
      if report.now.contains(low) {
        findings.append(fault(DoctorCode(.undervoltage), "the supply voltage is too low now"))
      } else if report.sinceBoot.contains(low) {
        findings.append(
          warning(.undervoltageBefore, "the supply voltage has been too low since the start"))
      }
      if !others.isEmpty {
        findings.append(warning(.throttled, "the firmware says \(others.joined(separator: ", "))"))
      }
      return findings.isEmpty ? [ok("the supply voltage is and was high enough")] : findings
    }
  }
}
