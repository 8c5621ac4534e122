/// The section `lamp`: the light that pages are pictured by.
///
/// | key | value | default |
/// |---|---|---|
/// | `led` | the name of a kernel LED under `/sys/class/leds` | |
/// | `line`, or `chip` and `offset` | a GPIO line instead of a kernel LED | |
/// | `active_low` | whether the lamp is lit when the line is low; only for a GPIO line | `false` |
/// | `mode` | `session`: lit as long as the session runs; `shot`: for each picture | `session` |
/// | `lead_time` | how long it is lit before an exposure counts, 0 ms to 10 s | `200 ms` |
/// | `hold_time` | how long it stays lit after the last picture, 0 ms to 1 min; only with `mode: shot` | `0 ms` |
public struct LampSection: Sendable, Hashable {
  /// When the lamp is lit.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// As long as the session runs.
    case session
    /// For each picture.
    case shot
  }

  /// What the lamp is wired to; as the lights that show a state.
  public var light: IndicatorSection
  /// When it is lit.
  public var mode = Mode.session
  /// How long it is lit before an exposure counts.
  public var leadTime = Duration.milliseconds(200)
  /// How long it stays lit after the last picture.
  public var holdTime = Duration.zero

  init?(_ section: ConfigurationMapping) {
    let light = IndicatorSection.light(section)
    let mode = section.word("mode", Mode.self)
    let leadTime = section.duration("lead_time", in: .zero...(.seconds(10)))
    let holdTime = section.duration("hold_time", in: .zero...(.seconds(60)))
    if section.has("hold_time"), mode != .shot {
      section.note("goes with \"mode: shot\" only", at: "hold_time")
    }
    section.refuseUnknownKeys()
    guard let light else { return nil }
    self.light = light
    self.mode = mode ?? self.mode
    self.leadTime = leadTime ?? self.leadTime
    self.holdTime = holdTime ?? self.holdTime
  }
}
