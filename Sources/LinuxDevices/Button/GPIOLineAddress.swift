/// The address of a GPIO line.
package enum GPIOLineAddress: Sendable, Hashable, CustomStringConvertible {
  /// The first line with a name (the device tree's `gpio-line-names`), on any chip.
  case name(String)
  /// A line by its number on a chip.
  ///
  /// The chip is given by its label (`pinctrl-bcm2835`), its name (`gpiochip0`) or its path. The
  /// label stays the same across reboots.
  case offset(Int, chip: String)

  /// The line's display name, for example `SHUTTER` or `pinctrl-bcm2835 line 17`.
  package var description: String {
    switch self {
    case .name(let name): name
    case .offset(let offset, let chip): "\(chip) line \(offset)"
    }
  }
}

/// The pull of an input line that is not driven.
package enum GPIOLineBias: String, Sendable, Hashable, CaseIterable {
  /// The setting of the device tree or the chip.
  case asIs = "as-is"
  /// No pull: there is a resistor on the board.
  case disabled
  /// The chip's resistor to the supply.
  case pullUp = "pull-up"
  /// The chip's resistor to ground.
  case pullDown = "pull-down"
}
