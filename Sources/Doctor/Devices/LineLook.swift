import API
import Devices
import LinuxDevices

/// The look at the GPIO lines of the configuration, without requesting them.
struct LineLook: Sendable {
  /// Whether the service runs and therefore should hold its lines.
  let isServiceRunning: Bool
  let look: @Sendable (GPIOLineAddress) -> Result<GPIOLineInfo, DeviceError>

  /// Returns the problem of a line; `nil` when there is none.
  func finding(
    of line: GPIOLineAddress, by check: some DoctorCheck, subject: String
  ) -> DoctorReport.Finding? {
    switch look(line) {
    case .failure(let error) where error.code == .permissionDenied:
      // Without the service, the look runs under another account with other rights.
      guard isServiceRunning else {
        return check.notChecked("this account may not look: \(error)", of: subject)
      }
      return check.fault(.deviceNotAuthorized, "\(error)", of: subject)
    case .failure(let error):
      return check.fault(.lineAbsent, "\(error)", of: subject)
    case .success(let found) where found.isOurs:
      return nil
    case .success(let found) where found.isUsed:
      return check.fault(.lineTaken, "the line \(line) is held by \(found.holder)", of: subject)
    case .success:
      guard isServiceRunning else { return nil }
      return check.warning(
        DoctorCode(rawValue: "other"), "the service does not hold the line \(line)",
        of: subject)
    }
  }

  /// Returns the look at the lines of this machine.
  static func ofKernel(isServiceRunning: Bool) -> LineLook {
    LineLook(isServiceRunning: isServiceRunning) { line in
      Result { () throws(DeviceError) in try GPIOLineInfo.read(line) }
    }
  }
}

extension GPIOLineInfo {
  /// The quoted name of the program that holds the line.
  var holder: String { consumer.map { "\"\($0)\"" } ?? "a program without a name" }
}
