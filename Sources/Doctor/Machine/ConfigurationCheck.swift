import API
import Devices
import RigConfiguration
import Settings

/// The check of the configuration file: whether it is valid, and whether the service runs with it.
struct ConfigurationCheck: DoctorCheck {
  let part = DoctorPart.configuration
  /// The file's path; `nil` for a service without a configuration file.
  let path: String?
  /// The configuration that the service has read; `nil` without a service.
  let running: ConfigurationSource?
  let files: KernelFiles

  func findings() async -> [DoctorReport.Finding] {
    guard let path else { return [notChecked("the service runs without a configuration file")] }
    guard files.read(path) != nil else {
      let problem = files.exists(path) ? "may not be read or is no file" : "is not there"
      return [fault(.configurationUnreadable, "\"\(path)\" \(problem)")]
    }
    do throws(ConfigurationErrors) {
      let found = try PlatenConfiguration.load(path: files.path(path))
      if let running, let hash = found.source?.hash, running.hash != hash {
        if ConfigurationTrial(of: files.path(path)).hasFailed(hash: hash) {
          return [
            fault(
              .configurationFailed,
              "the last good text runs in place of \"\(path)\": \(ConfigurationTrial.problem)")
          ]
        }
        return [
          warning(
            .configurationChanged, "\"\(path)\" is in order, but not what the service has read")
        ]
      }
      let moved = found.movedKeys.map { "; \($0.warning)" }.joined()
      return [ok("\"\(path)\" is in order" + (running == nil ? "" : " and is what runs") + moved)]
    } catch {
      let more = error.issues.count - 3
      return error.issues.prefix(3).map { fault(.configurationInvalid, $0.description) }
        + (more > 0
          ? [fault(.configurationInvalid, "\(more.counted("more fault")) in \"\(path)\"")] : [])
    }
  }
}
