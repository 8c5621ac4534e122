import Capture
import Devices
import Settings
import Spool
import Upload

/// The checks of keys in different sections that have to agree.
extension PlatenConfiguration {
  /// Refuses a reboot that no part could carry out.
  func refuseReboot(_ root: SettingsSection) {
    guard camera.restarts.mayRestartMachine,
      let section = root.section("camera")?.section("recovery")
    else { return }
    switch power.method {
    case .none: section.note("needs a \"power.method\"", at: "reboot")
    case .command where power.restart.isEmpty: section.note("needs \"power.restart\"", at: "reboot")
    case .command, .logind: break
    }
  }

  /// Refuses a directory target that the service's unit hides.
  func refuseHidden(_ root: SettingsSection) {
    func refuse(_ path: String, _ key: String, in section: SettingsSection?) {
      guard let hidden = Self.hiddenDirectories.first(where: { "\(path)/".hasPrefix("\($0)/") })
      else {
        return
      }
      section?.note(
        "is below \"\(hidden)\", which the service's unit hides from it (ProtectHome=yes); take a "
          + "directory below /media, /mnt, /srv or /var/lib", at: key)
    }
    refuse(spool.directory, "directory", in: root.section("spool"))
    for target in targets {
      guard case .directory(let path) = target.destination.place else { continue }
      refuse(path, "path", in: root.section("targets")?.section(target.name))
    }
  }

  /// Refuses a strict order that deferred pictures would not keep.
  func refuseOvertaking(_ root: SettingsSection) {
    for target in targets where image.isDeferred && target.policy.order == .strict {
      root.section("targets")?.section(target.name)?.note(
        "does not go with \"image.deferred\", because later pictures overtake deferred ones",
        at: "order")
    }
  }

  /// The directories that `ProtectHome=yes` hides (systemd.exec(5)).
  private static let hiddenDirectories = ["/home", "/root", "/run/user"]

  /// Refuses a power-off gesture that no part could carry out.
  func refuseHold(_ root: SettingsSection) {
    guard power.method == .none, let section = root.section("buttons") else { return }
    for button in buttons where button.actions[.hold] == .powerOff {
      section.section(button.name)?.note("needs a \"power.method\"", at: "hold")
    }
  }
}
