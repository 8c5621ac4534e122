/// The section `lamp`: the light for the pages.
///
/// | key | value | default |
/// |---|---|---|
/// | `led` | the name of a kernel LED under `/sys/class/leds` | |
/// | `line`, or `chip` and `offset` | a GPIO line instead of a kernel LED | |
/// | `active_low` | whether the lamp is lit when the line is low; only for a GPIO line | `false` |
/// | `mode` | `session`: lit as long as the session runs; `shot`: for each picture | `session` |
/// | `lead_time` | the time that the lamp is lit before an exposure counts, 0 ms to 10 s | `200 ms` |
/// | `hold_time` | the time that the lamp stays lit after the last picture, 0 ms to 1 min; only with `mode: shot` | `0 ms` |
package struct LampSection: Sendable, Hashable {
  /// The times at which the lamp is lit.
  package enum Mode: String, Sendable, Hashable, CaseIterable {
    /// The lamp is lit while the session runs.
    case session
    /// The lamp is lit for each picture.
    case shot
  }

  /// The wiring of the lamp, in the same form as an indicator's.
  package var light: IndicatorSection
  /// The times at which the lamp is lit.
  package var mode = Mode.session
  /// The time that the lamp is lit before an exposure counts.
  package var leadTime = Duration.milliseconds(200)
  /// The time that the lamp stays lit after the last picture.
  package var holdTime = Duration.zero

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
