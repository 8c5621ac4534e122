import API
import LinuxDevices
import RigConfiguration

/// The look at the wiring of a light or of the lamp.
struct LightWiring: Sendable {
  /// The triggers that this software sets itself.
  static let ownTriggers = ["none", "timer", patternTrigger]
  /// The trigger with which a light goes out when the service hangs.
  static let patternTrigger = "pattern"

  let files: KernelFiles
  /// The user that writes to the light.
  let user: ServiceUser
  let lines: LineLook

  /// Returns the problem of the wiring; `nil` when there is none.
  func finding(
    of light: IndicatorSection, by check: some DoctorCheck, subject: String
  ) -> DoctorReport.Finding? {
    switch light {
    case .line(let line, _): return lines.finding(of: line, by: check, subject: subject)
    case .led(let name):
      let directory = "/sys/class/leds/" + name
      guard files.exists(directory) else {
        return check.fault(
          .lightAbsent, "there is no kernel LED \"\(name)\"\(known)", of: subject)
      }
      if let trigger = trigger(directory), !Self.ownTriggers.contains(trigger) {
        return check.warning(
          .lightTriggerForeign, "the trigger of \"\(name)\" is \"\(trigger)\"", of: subject)
      }
      if let owner = files.owner(of: directory + "/brightness"), !user.mayUse(owner) {
        return check.fault(
          .deviceNotAuthorized, "the user \"\(user.name)\" may not write to \"\(name)\"",
          of: subject)
      }
      return nil
    }
  }

  /// Returns the problem of a light that cannot show patterns by itself.
  ///
  /// The result is `nil` when there is none, or when the triggers are unknown. Without the trigger,
  /// the service shows the patterns, and no pattern ends when the service hangs.
  func patternFinding(
    of light: IndicatorSection, by check: some DoctorCheck, subject: String
  ) -> DoctorReport.Finding? {
    guard case .led(let name) = light else { return nil }
    let offered = triggers("/sys/class/leds/" + name)
    let isOffered = offered.contains {
      $0 == Self.patternTrigger || $0 == "[\(Self.patternTrigger)]"
    }
    guard !offered.isEmpty, !isOffered else { return nil }
    return check.warning(
      .lightPatternAbsent,
      "the kernel has not the trigger \"\(Self.patternTrigger)\" for \"\(name)\"", of: subject)
  }

  /// Returns the selected trigger.
  private func trigger(_ directory: String) -> String? {
    triggers(directory).first { $0.hasPrefix("[") && $0.hasSuffix("]") }.map {
      String($0.dropFirst().dropLast())
    }
  }

  /// Returns the triggers that the kernel offers for a light; the selected one is in brackets.
  private func triggers(_ directory: String) -> [Substring] {
    files.read(directory + "/trigger")?.split(separator: " ") ?? []
  }

  private var known: String {
    let names = files.names(in: "/sys/class/leds")
    return names.isEmpty
      ? ", nor any other" : "; there are \(names.prefix(8).joined(separator: ", "))"
  }
}
