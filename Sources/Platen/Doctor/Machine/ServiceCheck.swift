import API
import Capture
import Devices

/// Whether the service runs, how often it was started anew, and why.
struct ServiceCheck: DoctorCheck {
  let part = DoctorPart.service
  /// What the service says of itself; `nil` when it does not run.
  let status: RigStatus?
  /// Why the API is not served over TCP; `nil` while it is, and where it is not configured.
  var networkProblem: String?
  /// Why the API's socket has not its group, or will not have it; `nil` when nothing is wrong.
  var socketProblem: String?
  /// The accounts that may use the API and that this machine does not know; `nil` when it knows all.
  var accountsProblem: String?
  /// Where the API is served outside this machine, in plain HTTP; `nil` for nowhere.
  var openAddress: String?
  /// Reads the record of what was ended for the camera's sake.
  let record: @Sendable () -> Result<RestartRecord?, DeviceError>
  /// What systemd knows; `nil` where it was not asked or does not answer.
  let unit: SystemdUnit?

  func findings() async -> [DoctorReport.Finding] {
    let socket =
      (socketProblem.map { [warning(.socketGroupNotSet, $0)] } ?? [])
      + (accountsProblem.map { [warning(.accountsUnknown, $0)] } ?? [])
    guard let status else { return [stopped] + socket + unencrypted + restarts }
    var seen = "platend \(status.version) has run for \(Self.span(status.uptimeSeconds))"
    if let fault = status.session.lastFault {
      seen += "; its last fault was: \(fault)"
      if let recovery = status.session.lastRecovery { seen += " (mended by \(recovery))" }
    }
    let api = networkProblem.map { [warning(.apiNotOnNetwork, $0)] } ?? []
    return [ok(seen)] + api + socket + unencrypted + restarts
  }

  /// The configuration says that the network is trusted, and may be wrong by now.
  private var unencrypted: [Finding] {
    guard let openAddress else { return [] }
    return [
      warning(
        .apiUnencrypted,
        "the API is served without TLS at \"\(openAddress)\"; others on the network can read along, "
          + "tokens too")
    ]
  }

  private var stopped: Finding {
    guard let unit, unit.isKnown else {
      return fault(
        .serviceStopped, "the service does not answer, and systemd does not know it")
    }
    return fault(.serviceStopped, unit.description)
  }

  /// What was ended for the camera's sake and has not helped yet, or a record that is lost.
  private var restarts: [Finding] {
    switch record() {
    case .failure(let error) where status == nil && error.code == .permissionDenied:
      return [notChecked("this account may not look: \(error)")]
    case .failure(let error): return [warning(.serviceRestarted, "\(error)")]
    case .success(nil): return []
    case .success(let record?):
      let (services, machines) = (record.serviceRestartCount, record.machineRestartCount)
      guard let last = record.last, services + machines > 0 else { return [] }
      return [
        warning(
          .serviceRestarted,
          "restarted for the camera's sake: the service \(services) and the machine \(machines) "
            + "times in a row, last for: \(last.fault)")
      ]
    }
  }

  static func span(_ seconds: Double) -> String {
    let whole = Int(max(0, min(seconds, 1e12)))
    let (days, hours, minutes) = (whole / 86_400, whole / 3600 % 24, whole / 60 % 60)
    if days > 0 { return "\(days) d \(hours) h" }
    if hours > 0 { return "\(hours) h \(minutes) min" }
    return minutes > 0 ? "\(minutes) min" : "\(whole) s"
  }
}
