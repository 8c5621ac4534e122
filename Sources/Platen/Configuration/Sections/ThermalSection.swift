package import Capture

/// The section `thermal`: the watched zones, their limits, and the constraints on a hot rig.
///
/// | key | value | default |
/// |---|---|---|
/// | `zones` | types of thermal zones: a list, or a section with the limits of each | none |
/// | `fair` | °C | 60 |
/// | `serious` | °C, or a section with the keys below | 70 |
/// | `serious.limit` | °C | 70 |
/// | `serious.frame_rate` | frames a second from *serious* on, 0.2 to 120 | 5 |
/// | `serious.preview_frame_rate` | frames a second of the preview, 0.1 to 120 | 2 |
/// | `serious.uploads` | `continue`, `single` (one at a time) or `hold` | `single` |
/// | `critical` | °C, or a section with the keys below | 80 |
/// | `critical.limit` | °C | 80 |
/// | `critical.spacing` | time between two presses, 1 s to 10 min; `off` refuses them | `off` |
/// | `shutdown` | °C, `off`, or a section with the keys below; without a `power.method` off | 90 |
/// | `shutdown.limit` | °C | 90 |
/// | `shutdown.after` | the time that a zone must have been that hot, 0 s to 10 min | `10 s` |
/// | `hysteresis` | kelvins below a limit at which its state ends, 0.5 to 20 | 3 |
/// | `dwell` | the earliest time after a change at which the state may fall, 1 s to 1 h | `60 s` |
/// | `interval` | time between readings, 100 ms to 1 min | `1 s` |
///
/// A zone in the section `zones` may have its own `fair`, `serious`, `critical` and `shutdown`, in
/// °C. The other limits are the common ones.
package struct ThermalSection: Sendable, Hashable {
  /// The types of thermal zones.
  package var zones: [String] = []
  /// The limits of the thermal states.
  package var governor = ThermalGovernor.Configuration()
  /// The constraints on the rig in each thermal state.
  package var policy = ThermalPolicy()
  /// The time between readings.
  package var interval = Duration.seconds(1)

  private static let celsius = -40.0...150.0

  init() {}

  init(_ section: ConfigurationMapping) {
    governor.limits = limits(section, governor.limits)
    readZones(section)
    governor.hysteresis = section.number("hysteresis", in: 0.5...20) ?? governor.hysteresis
    governor.dwell = section.duration("dwell", in: .seconds(1)...(.seconds(3600))) ?? governor.dwell
    interval = section.duration("interval", in: .milliseconds(100)...(.seconds(60))) ?? interval
    section.refuseUnknownKeys()
  }

  /// Reads the limits of all zones, and the constraints of the states from the subsections.
  private mutating func limits(
    _ section: ConfigurationMapping, _ defaults: ThermalLimits
  ) -> ThermalLimits {
    var limits = defaults
    limits.fair = section.number("fair", in: Self.celsius, unit: "°C") ?? limits.fair
    if section.isSection("serious"), let serious = section.section("serious") {
      limits.serious = serious.number("limit", in: Self.celsius, unit: "°C") ?? limits.serious
      policy.frameRate = serious.number("frame_rate", in: 0.2...120) ?? policy.frameRate
      policy.previewFrameRate =
        serious.number("preview_frame_rate", in: 0.1...120) ?? policy.previewFrameRate
      policy.seriousUploads =
        serious.word("uploads", ThermalConstraints.Uploads.self) ?? policy.seriousUploads
      serious.refuseUnknownKeys()
    } else {
      limits.serious = section.number("serious", in: Self.celsius, unit: "°C") ?? limits.serious
    }
    if section.isSection("critical"), let critical = section.section("critical") {
      limits.critical = critical.number("limit", in: Self.celsius, unit: "°C") ?? limits.critical
      if !critical.says("off", at: "spacing") {
        policy.criticalSpacing = critical.duration("spacing", in: .seconds(1)...(.seconds(600)))
      }
      critical.refuseUnknownKeys()
    } else {
      limits.critical = section.number("critical", in: Self.celsius, unit: "°C") ?? limits.critical
    }
    if section.isSection("shutdown"), let shutdown = section.section("shutdown") {
      limits.shutdown = shutdown.number("limit", in: Self.celsius, unit: "°C") ?? limits.shutdown
      governor.shutdownDelay =
        shutdown.duration("after", in: .zero...(.seconds(600))) ?? governor.shutdownDelay
      shutdown.refuseUnknownKeys()
    } else {
      limits.shutdown = hardLimit(section, limits.shutdown)
    }
    requireAscending(limits, section)
    return limits
  }

  private mutating func readZones(_ section: ConfigurationMapping) {
    guard section.isSection("zones"), let named = section.section("zones") else {
      zones =
        section.list("zones", expected: "the type of a thermal zone") { text in
          Self.isName(text) ? text : nil
        } ?? zones
      return
    }
    for name in named.keys {
      guard let zone = named.section(name) else { continue }
      if !Self.isName(name) { named.note("is no type of a thermal zone", at: name) }
      zones.append(name)
      var limits = governor.limits
      limits.fair = zone.number("fair", in: Self.celsius, unit: "°C") ?? limits.fair
      limits.serious = zone.number("serious", in: Self.celsius, unit: "°C") ?? limits.serious
      limits.critical = zone.number("critical", in: Self.celsius, unit: "°C") ?? limits.critical
      limits.shutdown = hardLimit(zone, limits.shutdown)
      requireAscending(limits, zone)
      zone.refuseUnknownKeys()
      if limits != governor.limits { governor.zoneLimits[name] = limits }
    }
  }

  private func hardLimit(_ section: ConfigurationMapping, _ limit: Double?) -> Double? {
    if section.says("off", at: "shutdown") { return nil }
    return section.number("shutdown", in: Self.celsius, unit: "°C") ?? limit
  }

  private func requireAscending(_ limits: ThermalLimits, _ section: ConfigurationMapping) {
    guard !limits.isAscending else { return }
    let keys = ["shutdown", "critical", "serious", "fair"]
    section.note(
      "\"fair\", \"serious\", \"critical\" and \"shutdown\" must ascend, found \(limits.fair), "
        + "\(limits.serious), \(limits.critical), "
        + (limits.shutdown.map { "\($0)" } ?? "off"),
      at: keys.first { section.has($0) } ?? "fair")
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.contains("/")
  }
}
