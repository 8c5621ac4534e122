/// How a configuration names a GPIO line.
public enum GPIOLineName: Sendable, Hashable {
  /// By the line's name in the device tree, for example `SHUTTER`.
  case name(String)
  /// By the chip's label and the line's number on it, for example `pinctrl-bcm2835` and 17.
  case offset(chip: String, line: Int)

  /// Reads `line`, or `chip` and `offset`; exactly one of the two ways.
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

/// The section `shutter`: the button's line.
///
/// | key | value | default |
/// |---|---|---|
/// | `line` | the line's name | |
/// | `chip`, `offset` | the chip's label and the line's number, instead of `line` | |
/// | `bias` | `as-is`, `disabled`, `pull-up` or `pull-down` | `pull-up` |
/// | `active_low` | whether a pressed button pulls the line to ground | `true` |
/// | `debounce` | quiet time that a press needs before it, 0 ms to 1 s | `30 ms` |
public struct ShutterSection: Sendable, Hashable {
  /// The resistor at the line.
  public enum Bias: String, Sendable, Hashable, CaseIterable {
    /// As the hardware or an earlier user left it.
    case asIs = "as-is"
    /// None.
    case disabled
    /// To the supply.
    case pullUp = "pull-up"
    /// To ground.
    case pullDown = "pull-down"
  }

  /// The line.
  public var line: GPIOLineName
  /// The resistor at the line.
  public var bias = Bias.pullUp
  /// Whether a pressed button pulls the line to ground.
  public var isActiveLow = true
  /// Quiet time that a press needs before it.
  public var debounce = Duration.milliseconds(30)

  init?(_ section: ConfigurationMapping) {
    let line = GPIOLineName(section)
    let bias = section.word("bias", Bias.self)
    let isActiveLow = section.boolean("active_low")
    let debounce = section.duration("debounce", in: .zero...(.seconds(1)))
    section.refuseUnknownKeys()
    guard let line else { return nil }
    self.line = line
    self.bias = bias ?? self.bias
    self.isActiveLow = isActiveLow ?? self.isActiveLow
    self.debounce = debounce ?? self.debounce
  }
}
