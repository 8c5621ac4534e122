import API
import Capture
import Devices
import RigConfiguration

/// The lights of a rig and their current states.
///
/// The doctor must not name a light that shows nothing: a person who counts missing flashes looks
/// for the fault in the wrong place.
struct RigLights: Sendable, Hashable {
  /// The rig's lights; all possible lights without a configuration.
  var roles: Set<IndicatorRole>
  /// The current state of each light; `nil` without a service.
  var states: [IndicatorRole: String]?

  /// Returns the finding with the lights that show it on this rig.
  func told(_ finding: DoctorReport.Finding) -> DoctorReport.Finding {
    guard let state = finding.light else { return finding }
    let showing = lights(showing: state, for: finding.code)
    // The upload light flashes without a code; the only light has a code for the same state.
    let hasCode = showing.contains(.fault) || showing.contains(.single)
    return DoctorReport.Finding(
      part: finding.part, subject: finding.subject, verdict: finding.verdict, code: finding.code,
      light: showing.isEmpty ? nil : state, lightCode: hasCode ? finding.lightCode : nil,
      seen: finding.seen, advice: finding.advice)
  }

  /// Returns the lights that show a state because of a problem.
  private func lights(showing state: String, for code: String?) -> Set<IndicatorRole> {
    let able = Self.roles(of: state).intersection(roles)
    if state == code, InterruptionReason(rawValue: state) != nil { return able }
    // Any other state is shown only after a consequence: a refused press, or a waiting picture. A
    // running service knows the shown states.
    if let states { return able.filter { states[$0] == state } }
    // Without a service, no picture is uploaded. The other states belong to a service that cannot
    // start.
    return Self.ofUploads.contains(state) ? [] : able
  }

  /// Returns the lights that have a state in the table; the only light has all fault-light states.
  private static func roles(of state: String) -> Set<IndicatorRole> {
    let roles = Set(IndicatorLanguage.table.filter { $0.state == state }.compactMap(\.light))
    return roles.contains(.fault) ? roles.union([.single]) : roles
  }

  private static let ofUploads = Set(
    IndicatorLanguage.table.filter { $0.light == .upload }.map(\.state))
}

extension RigLights {
  /// Makes the lights of a configuration, with the states that the service reports.
  init(_ configuration: PlatenConfiguration?, _ status: RigStatus?) {
    roles = configuration.map { Set($0.indicators.keys) } ?? Set(IndicatorRole.allCases)
    states = status.map { status in
      status.lights.reduce(into: [IndicatorRole: String]()) { states, light in
        guard let role = light.role.value else { return }
        states[role] = light.state
      }
    }
  }
}

/// A check whose findings name the lights of this rig.
struct LitCheck: DoctorCheck {
  let check: any DoctorCheck
  let lights: RigLights

  var part: DoctorPart { check.part }

  func findings() async -> [DoctorReport.Finding] {
    await check.findings().map { lights.told($0) }
  }
}
