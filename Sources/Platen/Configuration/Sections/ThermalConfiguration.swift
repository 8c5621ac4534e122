/// What heat does: the section `thermal`.
///
/// | key | value | default |
/// |---|---|---|
/// | `zones` | list of thermal zones by their types, for example `[cpu-thermal]` | all of the board |
/// | `fair` | 0...150 °C from which the state is fair | `60` |
/// | `serious` | 0...150 °C from which the frame rate drops; above `fair` | `70` |
/// | `critical` | 0...150 °C from which presses are refused; above `serious` | `80` |
/// | `hysteresis` | 0.5...20 °C below a limit before the state is left again | `3` |
/// | `interval` | 100 ms to 1 min from reading to reading | `1 s` |
/// | `serious_frame_rate` | 1...120 frames a second at serious | `5` |
public struct ThermalConfiguration: Sendable, Hashable {
  /// The types of the thermal zones to watch; empty for all of the board.
  public var zones: [String]
  /// From how many degrees Celsius the state is fair.
  public var fair: Double
  /// From how many degrees Celsius the state is serious.
  public var serious: Double
  /// From how many degrees Celsius the state is critical.
  public var critical: Double
  /// How many degrees Celsius below its limit a state is left.
  public var hysteresis: Double
  /// The time from reading to reading.
  public var interval: Duration
  /// Frames a second at serious.
  public var seriousFrameRate: Double

  init(reading mapping: ConfigurationMapping) {
    zones =
      mapping.readList(
        "zones", of: .text("a thermal zone's type"), expected: "a list of thermal zones") ?? []
    let temperature = ConfigurationKind.number(0...150, unit: "°C")
    fair = mapping.read("fair", as: temperature, default: 60)
    serious = mapping.read("serious", as: temperature, default: 70)
    critical = mapping.read("critical", as: temperature, default: 80)
    hysteresis = mapping.read("hysteresis", as: .number(0.5...20, unit: "°C"), default: 3)
    interval = mapping.read(
      "interval", as: .duration(.milliseconds(100) ... .seconds(60)), default: .seconds(1))
    seriousFrameRate = mapping.read(
      "serious_frame_rate", as: .number(1...120, unit: "frames a second"), default: 5)
    let limits = [("fair", fair), ("serious", serious), ("critical", critical)]
    for (lower, upper) in zip(limits, limits.dropFirst()) where lower.1 >= upper.1 {
      let key = mapping.contains(upper.0) ? upper.0 : lower.0
      mapping.report(
        key,
        "expected \"\(lower.0)\" to be below \"\(upper.0)\", found \(DecimalText.short(lower.1)) and \(DecimalText.short(upper.1))"
      )
    }
  }
}
