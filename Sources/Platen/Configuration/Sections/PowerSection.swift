/// The section `power`: the machine's supply, and who switches it off.
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
public struct PowerSection: Sendable, Hashable {
  /// Who switches the machine off.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    /// Nobody.
    case none
    /// systemd's login manager, over D-Bus.
    case logind
    /// Commands.
    case command
  }

  /// What undervoltage does.
  public enum UndervoltageEffect: String, Sendable, Hashable, CaseIterable {
    /// It is shown.
    case warn
    /// Presses are refused.
    case refuse
  }

  /// Who switches the machine off.
  public var method = Method.none
  /// The program that switches the machine off, with its arguments.
  public var powerOff: [String] = []
  /// The program that starts the machine anew, with its arguments.
  public var restart: [String] = []
  /// What undervoltage does.
  public var undervoltage = UndervoltageEffect.warn
  /// The path of the firmware's flags; `nil` for the Raspberry Pi's.
  public var throttled: String?
  /// The path of the undervoltage alarm; `nil` for that of the hwmon device `rpi_volt`.
  public var undervoltageAlarm: String?

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
