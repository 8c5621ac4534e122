import API
import Capture
import Devices
import Foundation

/// Ends the service or the machine when the API asks for it.
extension RigModel {
  func end(_ ending: EndingReport.Ending) async throws(APIError) -> EndingReport {
    guard let maintenance else {
      throw APIError(.unsupported, "This service cannot be ended over its API.")
    }
    try await maintenance.begin(ending)
    return EndingReport(
      ending: ending, pressesInFlight: await session.pressCounts.inFlight)
  }
}

/// Who ends the service and the machine, and whether they may.
struct Maintenance: Sendable {
  let ending: SystemEnding
  /// Who switches the machine off; `nil` where nobody does.
  let power: (any SystemPower)?
  /// Whether somebody starts the service again that has ended.
  var isSupervised: @Sendable () -> Bool = { Maintenance.isStartedBySystemd }

  /// Begins the end, after everybody was asked who could refuse it.
  ///
  /// - Throws: ``API/APIError`` as ``API/MaintenanceService/end(_:)``.
  func begin(_ wanted: EndingReport.Ending) async throws(APIError) {
    switch wanted {
    case .serviceRestart:
      guard isSupervised() else {
        throw APIError(
          .unsupported,
          "The service does not run under systemd: nobody would start it again, so it goes on.")
      }
      try request(.restartService)
    case .machineRestart:
      try await check { power throws(DeviceError) in try await power.checkRestart() }
      try request(.restart)
    case .powerOff:
      try await check { power throws(DeviceError) in try await power.checkPowerOff() }
      try request(.powerOff)
    }
  }

  private func request(_ request: SystemEnding.Request) throws(APIError) {
    guard ending.request(request) || ending.request == request else {
      throw APIError(
        .conflict, "The service ends already, for \"\(ending.request?.rawValue ?? "")\".")
    }
  }

  private func check(
    _ ask: @Sendable (any SystemPower) async throws(DeviceError) -> Void
  ) async throws(APIError) {
    guard let power else {
      throw APIError(
        .unsupported,
        "Nobody switches this machine off: its configuration says \"power: { method: none }\".")
    }
    do throws(DeviceError) {
      try await ask(power)
    } catch {
      let code: APIError.Code =
        switch error.code {
        case .timedOut: .timedOut
        case .permissionDenied, .unsupported: .conflict
        default: .unavailable
        }
      throw APIError(code, "\(error). The service goes on.")
    }
  }

  /// Whether this process is the one that systemd has started for a unit (`SYSTEMD_EXEC_PID`,
  /// systemd.exec(5)); what was started from within a unit inherits the word, not the number.
  static var isStartedBySystemd: Bool {
    ProcessInfo.processInfo.environment["SYSTEMD_EXEC_PID"]
      == "\(ProcessInfo.processInfo.processIdentifier)"
  }
}
