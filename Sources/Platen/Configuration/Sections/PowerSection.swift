/// The section `power`: the power supply, and the way to power the machine off.
///
/// | key | value | default |
/// |---|---|---|
/// | `method` | `none`, `logind` (systemd's login manager), or `command` | `none` |
/// | `power_off`, `restart` | with `command`: a program's absolute path and its arguments | none |
/// | `undervoltage` | `warn` shows it, `refuse` also refuses presses | `warn` |
/// | `throttled` | the path of the firmware's flags | the Raspberry Pi's |
/// | `undervoltage_alarm` | the path of an attribute that is 1 during undervoltage | hwmon `rpi_volt` |
///
/// With the method `none` the hard limit of the temperature has no effect.
package struct PowerSection: Sendable, Hashable {
  /// The ways to power the machine off.
  package enum Method: String, Sendable, Hashable, CaseIterable {
    /// The machine cannot be powered off.
    case none
    /// The login manager of systemd, over D-Bus.
    case logind
    /// The configured programs.
    case command
  }

  /// The effect of undervoltage.
  package enum UndervoltageEffect: String, Sendable, Hashable, CaseIterable {
    /// Undervoltage is shown.
    case warn
    /// Presses are refused.
    case refuse
  }

  /// The way to power the machine off.
  package var method = Method.none
  /// The program that powers the machine off, with its arguments.
  package var powerOff: [String] = []
  /// The program that reboots the machine, with its arguments.
  package var restart: [String] = []
  /// The effect of undervoltage.
  package var undervoltage = UndervoltageEffect.warn
  /// The path of the firmware's flags; `nil` for the Raspberry Pi's.
  package var throttled: String?
  /// The path of the undervoltage alarm; `nil` for the alarm of the hwmon device `rpi_volt`.
  package var undervoltageAlarm: String?

  init() {}

  init(_ section: ConfigurationMapping) {
    method = section.word("method", Method.self) ?? method
    powerOff = command(section, "power_off")
    restart = command(section, "restart")
    undervoltage = section.word("undervoltage", UndervoltageEffect.self) ?? undervoltage
    throttled = section.path("throttled")
    undervoltageAlarm = section.path("undervoltage_alarm")
    if method == .command {
      section.require("power_off", "a program's absolute path and its arguments")
    }
    section.refuseUnknownKeys()
  }

  private func command(_ section: ConfigurationMapping, _ key: String) -> [String] {
    let words = section.list(key, expected: "a text without line feeds") { text in
      text.isEmpty || text.contains { $0.isNewline || $0 == "\0" } ? nil : text
    }
    guard let words else { return [] }
    if section.has("method"), method != .command {
      section.note("goes with \"method: command\" only", at: key)
    } else if words.first?.hasPrefix("/") != true {
      section.note("expected a program's absolute path first", at: key)
    }
    return words
  }
}
