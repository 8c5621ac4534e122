import Capture
import Settings

/// The settings of the section `camera.recovery`: the measures after a camera failure.
///
/// A camera that is unplugged, used by another program or not permitted is awaited. The roughest
/// measure is then to reopen it, whatever `rungs` says.
extension CameraSection {
  /// The setting of the section.
  static let recovery: Setting<CameraSection> = .group(
    "recovery", "the measures after a failure of the camera, and their limits",
    [
      Setting(
        list: \.session.recovery.sortedRungs, "rungs",
        of: .words([
          "restart_stream": .restartStream, "reopen_camera": .reopenCamera,
          "renew_camera_system": .renewCameraSystem, "restart_service": .restartService,
        ]), needsElement: true, default: "all of them", "the permitted measures"),
      Setting(
        \.session.recovery.attemptsPerRung, "attempts", .integer(1...10),
        "the number of attempts with a measure before the next, rougher one"),
      Setting(
        \.session.recovery.firstPause, "retry_minimum",
        .duration(.milliseconds(10)...(.seconds(60))),
        "the pause after the first fault; each following one is five times as long"),
      Setting(
        \.session.recovery.longestPause, "retry_maximum",
        .duration(.milliseconds(100)...(.seconds(600))),
        "the longest pause"),
      Setting(
        \.restarts.serviceRestartsPerHour, "restarts_per_hour", .integer(1...60),
        "the maximum number of restarts of the service for the camera within an hour"),
      Setting(
        \.restarts.mayRestartMachine, "reboot", .boolean, only: "needs power.method",
        "the permission to reboot the machine when restarts of the service do not help"),
      Setting(
        \.restarts.machineRestartsPerDay, "reboots_per_day", .integer(1...24),
        only: "with reboot: true", "the maximum number of reboots within a day"),
    ])

  /// Refuses keys of the section that exclude or need each other.
  func refuseRecovery(in section: SettingsSection) {
    if session.recovery.longestPause < session.recovery.firstPause {
      section.note(
        "must not be shorter than \"retry_minimum\"",
        at: section.firstPresent("retry_maximum", "retry_minimum"))
    }
    if section.has("reboots_per_day"), !restarts.mayRestartMachine {
      section.note("goes with \"reboot: true\" only", at: "reboots_per_day")
    }
    if restarts.mayRestartMachine, !session.recovery.rungs.contains(.restartService) {
      section.note("needs \"restart_service\" among the rungs", at: "reboot")
    }
  }
}

extension RecoveryLadder.Policy {
  /// The rungs that are used, the gentlest first.
  fileprivate var sortedRungs: [RecoveryLadder.Rung] {
    get { rungs.sorted() }
    set { rungs = Set(newValue) }
  }

  /// The pause after the first fault; once set, each following one is five times as long.
  fileprivate var firstPause: Duration {
    get { pauses.first ?? .zero }
    set { setPauses(from: newValue, to: longestPause) }
  }

  /// The longest pause, which is the last one.
  fileprivate var longestPause: Duration {
    get { pauses.last ?? .zero }
    set { setPauses(from: firstPause, to: newValue) }
  }

  /// Sets the pauses; limits that descend are kept, to be refused.
  private mutating func setPauses(from minimum: Duration, to maximum: Duration) {
    pauses = [minimum]
    while let last = pauses.last, last < maximum { pauses.append(min(last * 5, maximum)) }
    if maximum < minimum { pauses.append(maximum) }
  }
}
