/// Where a GPIO line is.
public enum GPIOLineAddress: Sendable, Hashable, CustomStringConvertible {
  /// The first line with a name (the device tree's `gpio-line-names`), on any chip.
  case name(String)
  /// A line by its number on a chip.
  ///
  /// The chip is given by its label (`pinctrl-bcm2835`, which stays the same from boot to boot), its
  /// name (`gpiochip0`) or its path.
  case offset(Int, chip: String)

  /// The line as people know it, for example `SHUTTER` or `pinctrl-bcm2835 line 17`.
  public var description: String {
    switch self {
    case .name(let name): name
    case .offset(let offset, let chip): "\(chip) line \(offset)"
    }
  }
}

/// What pulls an input line when nothing drives it.
public enum GPIOLineBias: String, Sendable, Hashable, Codable, CaseIterable {
  /// Whatever the device tree or the chip has set.
  case asIs
  /// Nothing: there is a resistor on the board.
  case disabled
  /// The chip's resistor to the supply.
  case pullUp
  /// The chip's resistor to ground.
  case pullDown
}
