package import Settings

/// The section `power`: the power supply, and the way to power the machine off.
///
/// With the method `none` the hard limit of the temperature has no effect.
package struct PowerSection: SettingsPart, Hashable {
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

  package init() {}

  /// The keys of the section.
  package static let settings: [Setting<PowerSection>] = [
    Setting(\.method, "method", .word, "the way to power the machine off"),
    Setting(
      list: \.powerOff, "power_off", of: word, only: "with method: command",
      "the program that powers the machine off"),
    Setting(
      list: \.restart, "restart", of: word, only: "with method: command",
      "the program that reboots the machine"),
    Setting(\.undervoltage, "undervoltage", .word, "the effect of undervoltage"),
    Setting(
      \.throttled, "throttled", .path, default: "the Raspberry Pi's",
      "the file with the firmware's flags"),
    Setting(
      \.undervoltageAlarm, "undervoltage_alarm", .path, default: "the Raspberry Pi's",
      "the file that has a 1 during undervoltage"),
  ]

  private static let word = SettingForm<String>(
    "text", range: "an absolute path and arguments", expected: "a text without line feeds",
    text: { $0 },
    parse: { text in
      text.isEmpty || text.contains { $0.isNewline || $0 == "\0" } ? nil : text
    })

  /// Refuses programs that are missing, unused or without an absolute path.
  package mutating func agree(in section: SettingsSection) {
    for (key, words) in [("power_off", powerOff), ("restart", restart)] {
      guard !words.isEmpty || section.isEmptyList(key) else { continue }
      if section.has("method"), method != .command {
        section.note("goes with \"method: command\" only", at: key)
      } else if words.first?.hasPrefix("/") != true {
        section.note("expected a program's absolute path first", at: key)
      }
    }
    if method == .command {
      section.require("power_off", "a program's absolute path and its arguments")
    }
  }
}
