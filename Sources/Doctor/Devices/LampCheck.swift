import API
import Capture
import RigConfiguration

/// The check of the lamp: its presence, and whether it can be switched.
struct LampCheck: DoctorCheck {
  let part = DoctorPart.lamp
  let section: LampSection?
  /// The session's reasons that concern the lamp.
  let reasons: [DoctorReason]
  /// Whether the service runs.
  let isServiceRunning: Bool
  /// The look at the wiring; `nil` on a board without wiring.
  let wiring: LightWiring?

  func findings() async -> [DoctorReport.Finding] {
    guard let section else { return [notChecked("the configuration names no lamp")] }
    let failures = reasons.findings(among: [.lamp], of: self)
    if let finding = wiring?.finding(of: section.light, by: self, subject: "lamp") {
      return failures + [finding]
    }
    if !failures.isEmpty { return failures }
    return wiring == nil && !isServiceRunning
      ? [notChecked("the board is simulated")]
      : [ok("in order, mode \(section.policy.mode.rawValue)")]
  }
}
