import LinuxDevices
import Settings

/// The keys that name a GPIO line: `line`, or `chip` and `offset`, which exclude each other.
extension GPIOLineAddress {
  /// The address in a section that names no line.
  static let unnamed = GPIOLineAddress.name("")

  private static let number = SettingForm<Int>.integer(0...4095)

  /// The keys with their meanings.
  static let keys: [ConfigurationKey] = [
    ConfigurationKey(
      "line", "text", "excludes chip and offset", default: "none", "the name of the GPIO line"),
    ConfigurationKey(
      "chip", "text", "with offset", default: "none", "the label of the line's chip"),
    ConfigurationKey(
      "offset", number.type, "\(number.range ?? ""); with chip", default: "none",
      "the line's number on the chip"),
  ]

  /// The setting of the keys, which fills an address.
  static let setting = Setting<GPIOLineAddress>(keys) { section, address in
    if let found = GPIOLineAddress(section) { address = found }
  }

  /// Reads the keys; notes an issue and returns `nil` where they name no line.
  init?(_ section: SettingsSection) {
    let name = section.value("line", SettingForm<String>.text())
    let chip = section.value("chip", SettingForm<String>.text())
    let offset = section.value("offset", GPIOLineAddress.number)
    if section.has("line"), section.has("chip") || section.has("offset") {
      section.note("excludes \"chip\" and \"offset\"; keep one of the two ways", at: "line")
      return nil
    }
    if let name {
      self = .name(name)
    } else if let chip, let offset {
      self = .offset(offset, chip: chip)
    } else {
      if section.has("chip") {
        section.require("offset", "the line's number on the chip")
      } else if section.has("offset") {
        section.require("chip", "the chip's label")
      } else {
        section.require("line", "the line's name, or \"chip\" and \"offset\"")
      }
      return nil
    }
  }
}
