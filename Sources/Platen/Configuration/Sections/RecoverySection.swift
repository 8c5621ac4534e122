package import Capture

/// The section `camera.recovery`: the measures after a camera failure, and their limits.
///
/// | key | value | default |
/// |---|---|---|
/// | `rungs` | the permitted measures: a list of `restart_stream`, `reopen_camera`, `renew_camera_system`, `restart_service` | all |
/// | `attempts` | the number of attempts with a measure before the next, rougher one, 1 to 10 | 2 |
/// | `retry_minimum` | the pause after the first fault, 10 ms to 1 min; each following one is five times as long | `200 ms` |
/// | `retry_maximum` | the longest pause, 100 ms to 10 min | `30 s` |
/// | `restarts_per_hour` | the maximum number of service restarts for the camera an hour, 1 to 60 | 6 |
/// | `reboot` | `true` permits a reboot when restarts of the service do not help; needs `power.method` | `false` |
/// | `reboots_per_day` | the maximum number of reboots a day, 1 to 24; goes with `reboot: true` only | 2 |
///
/// A camera that is unplugged, used by another program or not permitted is awaited. The roughest
/// measure is then to reopen it, whatever `rungs` says.
package struct RecoverySection: Sendable, Hashable {
  /// The gentle measures, which the session takes by itself.
  package var ladder = RecoveryLadder.Policy()
  /// The rough measures: the limits for restarts of the service and reboots of the machine.
  package var restarts = RestartRecord.Policy()

  private enum Rung: String, CaseIterable {
    case restartStream = "restart_stream"
    case reopenCamera = "reopen_camera"
    case renewCameraSystem = "renew_camera_system"
    case restartService = "restart_service"

    var rung: RecoveryLadder.Rung {
      switch self {
      case .restartStream: .restartStream
      case .reopenCamera: .reopenCamera
      case .renewCameraSystem: .renewCameraSystem
      case .restartService: .restartService
      }
    }
  }

  init() {}

  init(_ section: ConfigurationMapping) {
    readRungs(section)
    ladder.attemptsPerRung = section.integer("attempts", in: 1...10) ?? ladder.attemptsPerRung
    readPauses(section)
    restarts.serviceRestartsPerHour =
      section.integer("restarts_per_hour", in: 1...60) ?? restarts.serviceRestartsPerHour
    restarts.mayRestartMachine = section.boolean("reboot") ?? false
    if section.has("reboots_per_day"), !restarts.mayRestartMachine {
      section.note("goes with \"reboot: true\" only", at: "reboots_per_day")
    }
    restarts.machineRestartsPerDay =
      section.integer("reboots_per_day", in: 1...24) ?? restarts.machineRestartsPerDay
    if restarts.mayRestartMachine, !ladder.rungs.contains(.restartService) {
      section.note("needs \"restart_service\" among the rungs", at: "reboot")
    }
    section.refuseUnknownKeys()
  }

  private mutating func readRungs(_ section: ConfigurationMapping) {
    let names = Rung.allCases.map(\.rawValue).joined(separator: ", ")
    var isEmpty = true
    let rungs = section.list("rungs", expected: "one of \(names)") { name in
      isEmpty = false
      return Rung(rawValue: name)
    }
    guard let rungs else { return }
    if isEmpty { section.note("expected at least one of \(names)", at: "rungs") }
    if !rungs.isEmpty { ladder.rungs = Set(rungs.map(\.rung)) }
  }

  private mutating func readPauses(_ section: ConfigurationMapping) {
    let least = section.duration("retry_minimum", in: .milliseconds(10)...(.seconds(60)))
    let most = section.duration("retry_maximum", in: .milliseconds(100)...(.seconds(600)))
    guard least != nil || most != nil else { return }
    let (minimum, maximum) = (least ?? .milliseconds(200), most ?? .seconds(30))
    guard minimum <= maximum else {
      section.note(
        "must not be shorter than \"retry_minimum\"",
        at: section.has("retry_maximum") ? "retry_maximum" : "retry_minimum")
      return
    }
    var pauses = [minimum]
    while let last = pauses.last, last < maximum { pauses.append(min(last * 5, maximum)) }
    ladder.pauses = pauses
  }
}
