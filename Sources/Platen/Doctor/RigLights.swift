import API
import Capture
import Devices

/// What a rig's lights can show and what they show now, so that the doctor names no light that says
/// nothing: whoever counts flashes that are not there looks for the fault in the wrong place.
struct RigLights: Sendable, Hashable {
  /// The lights that the rig has; all that there may be when the configuration does not tell.
  var roles: Set<IndicatorRole>
  /// The state that each light shows now; `nil` without a service.
  var states: [IndicatorRole: String]?

  /// The same finding, with what the lights of this rig show for it.
  func told(_ finding: DoctorReport.Finding) -> DoctorReport.Finding {
    guard let state = finding.light else { return finding }
    let showing = lights(showing: state, for: finding.code)
    // The upload light flashes without a code; the same state has one on the only light.
    let hasCode = showing.contains(.fault) || showing.contains(.single)
    return DoctorReport.Finding(
      part: finding.part, subject: finding.subject, verdict: finding.verdict, code: finding.code,
      light: showing.isEmpty ? nil : state, lightCode: hasCode ? finding.lightCode : nil,
      seen: finding.seen, advice: finding.advice)
  }

  /// The lights that show a state because of what is wrong.
  private func lights(showing state: String, for code: String?) -> Set<IndicatorRole> {
    let able = Self.roles(of: state).intersection(roles)
    let reasons = InterruptionReason.priority + InterruptionReason.ofRig
    if state == code, reasons.contains(where: { $0.rawValue == state }) { return able }
    // Anything else is shown only when something came of it: a press that was refused, a picture that
    // waits. A service that runs knows that.
    if let states { return able.filter { states[$0] == state } }
    // Without one no picture is uploaded. The other states are those of a service that cannot start.
    return Self.ofUploads.contains(state) ? [] : able
  }

  /// The lights that have a state in the table; the only light shows all that the fault light does.
  private static func roles(of state: String) -> Set<IndicatorRole> {
    let roles = Set(IndicatorLanguage.table.filter { $0.state == state }.compactMap(\.light))
    return roles.contains(.fault) ? roles.union([.single]) : roles
  }

  private static let ofUploads = Set(
    IndicatorLanguage.table.filter { $0.light == .upload }.map(\.state))
}

extension RigLights {
  /// The lights of a configuration, with what the service says that they show.
  init(_ configuration: PlatenConfiguration?, _ status: RigStatus?) {
    roles = configuration.map { Set($0.indicators.keys) } ?? Set(IndicatorRole.allCases)
    states = status.map { status in
      status.lights.reduce(into: [IndicatorRole: String]()) { states, light in
        guard let role = IndicatorRole(rawValue: light.role) else { return }
        states[role] = light.state
      }
    }
  }
}

/// An examination that tells of each light what it shows on this rig.
struct LitCheck: DoctorCheck {
  let check: any DoctorCheck
  let lights: RigLights

  var part: DoctorPart { check.part }

  func findings() async -> [DoctorReport.Finding] {
    await check.findings().map { lights.told($0) }
  }
}
