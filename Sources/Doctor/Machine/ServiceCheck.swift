import API
import Capture
import Devices

/// The check of the service: whether it runs, and the number and causes of its restarts.
struct ServiceCheck: DoctorCheck {
  let part = DoctorPart.service
  /// The service's status; `nil` when the service does not run.
  let status: RigStatus?
  /// The reason why the API is not served over TCP; `nil` while it is served or not configured.
  var networkProblem: String?
  /// The reason why the API's socket lacks its group, or will lack it; `nil` without a problem.
  var socketProblem: String?
  /// The accounts with access to the API that the machine does not know; `nil` when it knows all.
  var accountsProblem: String?
  /// The address of the API outside this machine, in plain HTTP; `nil` for none.
  var openAddress: String?
  /// Reads the record of restarts because of the camera.
  let record: @Sendable () -> Result<RestartRecord?, DeviceError>
  /// The unit's state from systemd; `nil` when systemd was not asked or does not answer.
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

  /// The warning about an API without TLS: the network's configured trust may be outdated.
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

  /// The warning about restarts because of the camera that have not helped, or about a lost record.
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
