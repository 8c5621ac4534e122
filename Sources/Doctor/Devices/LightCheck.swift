import API
import Devices
import RigConfiguration

/// The check of the lights: presence, owner, setting, and end when the service hangs.
struct LightCheck: DoctorCheck {
  let part = DoctorPart.lights
  let lights: [IndicatorRole: IndicatorSection]
  /// The service's reports on the lights; empty without a service.
  let reports: [LightReport]
  /// The look at the wiring; `nil` on a board without wiring.
  let wiring: LightWiring?

  func findings() async -> [DoctorReport.Finding] {
    guard !lights.isEmpty else { return [notChecked("the configuration names no light")] }
    return IndicatorRole.allCases.compactMap { role in
      lights[role].map { finding(of: $0, role.rawValue) }
    }
  }

  private func finding(of light: IndicatorSection, _ role: String) -> Finding {
    if let finding = wiring?.finding(of: light, by: self, subject: role) { return finding }
    let report = reports.first { $0.role.rawValue == role }
    if let report, report.isFailing {
      return warning(.lightFailing, "\"\(report.name)\" cannot be set", of: role)
    }
    if let finding = wiring?.patternFinding(of: light, by: self, subject: role) { return finding }
    guard let shown = report?.shown else {
      return wiring == nil
        ? notChecked("the board is simulated", of: role) : ok("in order", of: role)
    }
    return ok("in order, shows \(shown)", of: role)
  }
}
