import API
import Capture
import Devices
import RigConfiguration

/// The check of the lamps: their presence, and whether they can be switched.
struct LampCheck: DoctorCheck {
  let part = DoctorPart.lamp
  let section: LampSection?
  /// The lamps of brackets.
  let lamps: [StepLamp]
  /// The session's reasons that concern the lamps.
  let reasons: [DoctorReason]
  /// Whether the service runs.
  let isServiceRunning: Bool
  /// The look at the wiring; `nil` on a board without wiring.
  let wiring: LightWiring?

  func findings() async -> [DoctorReport.Finding] {
    var lights = section.map { [(subject: "lamp", light: $0.light)] } ?? []
    lights += lamps.map { (subject: "lamp \($0.name)", light: $0.light) }
    guard !lights.isEmpty else { return [notChecked("the configuration names no lamp")] }
    let problems =
      reasons.findings(among: [.lamp], of: self)
      + lights.compactMap { wiring?.finding(of: $0.light, by: self, subject: $0.subject) }
    if !problems.isEmpty { return problems }
    guard wiring != nil || isServiceRunning else { return [notChecked("the board is simulated")] }
    let mode = section.map { ", mode \($0.policy.mode.rawValue)" } ?? ""
    let names = lamps.map(\.name).joined(separator: ", ")
    return [ok("in order\(mode)" + (names.isEmpty ? "" : ", for brackets: \(names)"))]
  }
}
