import API
import Devices
import LinuxDevices

/// Looks at the GPIO lines that the configuration names, without taking them.
struct LineLook: Sendable {
  /// Whether the service runs and therefore should hold its lines.
  let isServiceRunning: Bool
  let look: @Sendable (GPIOLineName) -> Result<GPIOLineLook, DeviceError>

  /// What is wrong with a line; `nil` when nothing is.
  func finding(
    of line: GPIOLineName, by check: some DoctorCheck, subject: String
  ) -> DoctorReport.Finding? {
    switch look(line) {
    case .failure(let error) where error.code == .permissionDenied:
      // Whoever looks without the service is somebody else than it, with rights of their own.
      guard isServiceRunning else {
        return check.notChecked("this account may not look: \(error)", of: subject)
      }
      return check.fault(.deviceNotAuthorized, "\(error)", of: subject)
    case .failure(let error):
      return check.fault(.lineAbsent, "\(error)", of: subject)
    case .success(let found) where found.isOurs:
      return nil
    case .success(let found) where found.isUsed:
      let name = found.consumer.map { "\"\($0)\"" } ?? "somebody without a name"
      return check.fault(
        .lineTaken, "the line \(line.address) is held by \(name)", of: subject)
    case .success:
      guard isServiceRunning else { return nil }
      return check.warning(
        DoctorCode(rawValue: "other"), "the service does not hold the line \(line.address)",
        of: subject)
    }
  }

  /// The lines of this machine.
  static func ofKernel(isServiceRunning: Bool) -> LineLook {
    LineLook(isServiceRunning: isServiceRunning) { line in
      Result { () throws(DeviceError) in try GPIOLineLook.look(at: line.address) }
    }
  }
}
