import API
import Capture

/// Whether the lamp is there and can be switched.
struct LampCheck: DoctorCheck {
  let part = DoctorPart.lamp
  let section: LampSection?
  /// What the service says of it.
  let reasons: [DoctorReason]
  /// Whether the service runs.
  let isServiceRunning: Bool
  /// Looks at the wiring; `nil` on a board that has none.
  let wiring: LightWiring?

  func findings() async -> [DoctorReport.Finding] {
    guard let section else { return [notChecked("the configuration names no lamp")] }
    let failures = reasons.findings(among: [.lamp], of: self)
    if let finding = wiring?.finding(of: section.light, by: self, subject: "lamp") {
      return failures + [finding]
    }
    if !failures.isEmpty { return failures }
    return wiring == nil && !isServiceRunning
      ? [notChecked("the board is simulated")] : [ok("in order, mode \(section.mode.rawValue)")]
  }
}
