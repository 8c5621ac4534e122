/// The identification of a GPIO line in a configuration.
package enum GPIOLineName: Sendable, Hashable {
  /// The line's name in the device tree, for example `SHUTTER`.
  case name(String)
  /// The chip's label and the line's number on it, for example `pinctrl-bcm2835` and 17.
  case offset(chip: String, line: Int)

  /// Reads `line`, or `chip` and `offset`, which exclude each other.
  init?(_ section: ConfigurationMapping) {
    let name = section.text("line")
    let chip = section.text("chip")
    let offset = section.integer("offset", in: 0...4095)
    if section.has("line"), section.has("chip") || section.has("offset") {
      section.note("excludes \"chip\" and \"offset\"; keep one of the two ways", at: "line")
      return nil
    }
    if let name {
      self = .name(name)
    } else if let chip, let offset {
      self = .offset(chip: chip, line: offset)
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
