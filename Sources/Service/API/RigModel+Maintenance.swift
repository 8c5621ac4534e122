import API
import Capture
import Devices
import Foundation

/// The API's requests to end the service or the machine.
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

/// The parts that end the service and the machine, and the check whether they may.
struct Maintenance: Sendable {
  let ending: SystemEnding
  /// The part that powers the machine off or reboots it; `nil` without one.
  let power: (any SystemPower)?
  /// Whether a supervisor restarts a service that has ended.
  var isSupervised: @Sendable () -> Bool = { Maintenance.isStartedBySystemd }

  /// Begins the end after every part that could refuse it has agreed.
  ///
  /// - Throws: ``API/APIError``: `unsupported` where nothing would restart the service or power the
  ///   machine off, `conflict` when the service ends already or systemd refuses, `timedOut` or
  ///   `unavailable` when systemd does not answer.
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

  /// Whether systemd has started this process for a unit (`SYSTEMD_EXEC_PID`, systemd.exec(5)).
  ///
  /// A child process inherits the variable, but its own process ID differs from the value.
  static var isStartedBySystemd: Bool {
    ProcessInfo.processInfo.environment["SYSTEMD_EXEC_PID"]
      == "\(ProcessInfo.processInfo.processIdentifier)"
  }
}
