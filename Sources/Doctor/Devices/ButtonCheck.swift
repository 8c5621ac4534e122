import API
import Capture
import Devices
import RigConfiguration

/// The check of the buttons: the presence and owner of each line, and the state of its contact.
struct ButtonCheck: DoctorCheck {
  let part = DoctorPart.buttons
  let buttons: [ButtonSection]
  /// The service's reports on the buttons; empty without a service.
  let reports: [ButtonReport]
  /// The look at the lines; `nil` on a board without lines.
  let lines: LineLook?

  func findings() async -> [DoctorReport.Finding] {
    guard !buttons.isEmpty else { return [notChecked("the configuration names no button")] }
    return buttons.flatMap { findings(of: $0) }
  }

  private func findings(of button: ButtonSection) -> [Finding] {
    let report = reports.first { $0.name == button.name }
    var findings =
      lines?.finding(of: button.line, by: self, subject: button.name).map { [$0] } ?? []
    let reasons = (report?.faults ?? []).compactMap(\.value).map {
      DoctorReason($0, refuses: false)
    }
    findings += reasons.findings(among: reasons.map(\.reason), of: self, subject: button.name)
    if let lost = report?.lostEdges, lost > 0 {
      findings.append(
        warning(
          .edgesLost, "\(lost.counted("edge was", "edges were")) lost since the start",
          of: button.name))
    }
    if !findings.isEmpty { return findings }
    if lines == nil, report == nil {
      return [notChecked("the board is simulated", of: button.name)]
    }
    let spikes = report.map { $0.spikes } ?? 0
    let pulses = spikes.counted("pulse since the start was", "pulses since the start were")
    let seen = spikes == 0 ? "" : ", \(pulses) too short for a press"
    return [ok("in order\(seen)", of: button.name)]
  }
}
