/// The shutter button: the section `shutter`.
///
/// | key | value | default |
/// |---|---|---|
/// | `line` | the GPIO line's name | required on the board `linux`, unless `chip` and `offset` are there |
/// | `chip`, `offset` | the GPIO chip's label and the line's offset, 0...65535 | — |
/// | `bias` | `as-is`, `disabled`, `pull-up` or `pull-down` | `pull-up` |
/// | `active_low` | whether the pressed button pulls the line low | `true` |
/// | `debounce` | 0 ms to 1 s after an edge in which further edges are bounce | `30 ms` |
public struct ShutterConfiguration: Sendable, Hashable {
  /// What holds an open line.
  public enum Bias: String, Sendable, Hashable, Codable, CaseIterable {
    /// What the line has already.
    case asIs = "as-is"
    /// Nothing.
    case disabled
    /// A resistor to the supply.
    case pullUp = "pull-up"
    /// A resistor to ground.
    case pullDown = "pull-down"
  }

  /// The button's line; `nil` only on the simulated board.
  public var line: GPIOLineConfiguration?
  /// What holds the line while the button is open.
  public var bias: Bias
  /// Whether the pressed button pulls the line low.
  public var isActiveLow: Bool
  /// How long after an edge further edges are bounce.
  public var debounce: Duration

  init(reading mapping: ConfigurationMapping, board: BoardKind?) {
    line = GPIOLineConfiguration(reading: mapping)
    if !GPIOLineConfiguration.isPresent(in: mapping), board == .linux {
      mapping.report("line", "expected a line's name, found nothing: the key is required")
    }
    bias = mapping.read("bias", as: .choice(Bias.allCases), default: .pullUp)
    isActiveLow = mapping.read("active_low", as: .flag, default: true)
    debounce = mapping.read(
      "debounce", as: .duration(.zero ... .seconds(1)), default: .milliseconds(30))
  }
}
