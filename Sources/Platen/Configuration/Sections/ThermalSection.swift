public import Capture

/// The section `thermal`: which zones to watch, and what is hot.
///
/// | key | value | default |
/// |---|---|---|
/// | `zones` | types of thermal zones, for example `[cpu-thermal]` | none |
/// | `fair`, `serious`, `critical` | °C, ascending | 60, 70, 80 |
/// | `hysteresis` | kelvins below a limit at which its state ends, 0.5 to 20 | 3 |
/// | `interval` | time between readings, 100 ms to 1 min | `1 s` |
/// | `serious_frame_rate` | frames a second from *serious* on, 0.2 to 120 | 5 |
public struct ThermalSection: Sendable, Hashable {
  /// Types of thermal zones.
  public var zones: [String] = []
  /// What is hot.
  public var limits = ThermalGovernor.Limits(fair: 60, serious: 70, critical: 80, hysteresis: 3)
  /// Time between readings.
  public var interval = Duration.seconds(1)
  /// Frames a second from *serious* on.
  public var seriousFrameRate = 5.0

  init() {}

  init(_ section: ConfigurationMapping) {
    zones =
      section.list("zones", expected: "the type of a thermal zone") { text in
        text.isEmpty || text.contains("/") ? nil : text
      } ?? zones
    limits.fair = section.number("fair", in: -40...150, unit: "°C") ?? limits.fair
    limits.serious = section.number("serious", in: -40...150, unit: "°C") ?? limits.serious
    limits.critical = section.number("critical", in: -40...150, unit: "°C") ?? limits.critical
    limits.hysteresis = section.number("hysteresis", in: 0.5...20) ?? limits.hysteresis
    if !(limits.fair < limits.serious && limits.serious < limits.critical) {
      section.note(
        "\"fair\", \"serious\" and \"critical\" must ascend, found \(limits.fair), "
          + "\(limits.serious), \(limits.critical)",
        at: section.has("critical") ? "critical" : section.has("serious") ? "serious" : "fair")
    }
    interval = section.duration("interval", in: .milliseconds(100)...(.seconds(60))) ?? interval
    seriousFrameRate = section.number("serious_frame_rate", in: 0.2...120) ?? seriousFrameRate
    section.refuseUnknownKeys()
  }
}
