package import Capture
package import Settings

/// The section `thermal`: the watched zones, their limits, and the constraints on a hot rig.
package struct ThermalSection: SettingsPart, Hashable {
  /// The types of thermal zones.
  package var zones: [String] = []
  /// The limits of the thermal states.
  package var governor = ThermalGovernor.Configuration()
  /// The constraints on the rig in each thermal state.
  package var policy = ThermalPolicy()
  /// The time between readings.
  package var interval = Duration.seconds(1)

  package init() {}

  /// The keys of the section; the limits of single zones come after the common ones.
  package static let settings: [Setting<ThermalSection>] = [
    Setting(
      \.governor.limits.fair, "fair", celsius, only: "ascending", "the limit of the state fair"),
    .valueOrSection(
      \.governor.limits.serious, "serious", celsius, valueKey: "limit", only: "ascending",
      "the limit of the state serious", valueMeaning: "the limit of the state serious",
      [
        Setting(
          \.policy.frameRate, "frame_rate", .number(0.2...120, unit: "frames a second"),
          "the highest frame rate from serious on"),
        Setting(
          \.policy.previewFrameRate, "preview_frame_rate",
          .number(0.1...120, unit: "frames a second"),
          "the highest frame rate of the preview at serious"),
        Setting(
          \.policy.seriousUploads, "uploads", .word,
          "the uploads at serious: as configured, one at a time for each target, or none"),
      ]),
    .valueOrSection(
      \.governor.limits.critical, "critical", celsius, valueKey: "limit", only: "ascending",
      "the limit of the state critical", valueMeaning: "the limit of the state critical",
      [
        Setting(
          \.policy.criticalSpacing, "spacing", spacing,
          "the time between two presses at critical; off refuses them")
      ]),
    shutdown,
    Setting(
      \.governor.hysteresis, "hysteresis", .number(0.5...20, unit: "kelvins"),
      "the margin below a limit at which its state ends"),
    Setting(
      \.governor.dwell, "dwell", .duration(.seconds(1)...(.seconds(3600))),
      "the shortest time after a change before the state may fall"),
    Setting(
      \.interval, "interval", .duration(.milliseconds(100)...(.seconds(60))),
      "the time between readings"),
    zoneLimits,
  ]

  private static let spacing =
    SettingForm<Duration>.duration(.seconds(1)...(.seconds(600))).or("off")

  private static let shutdown = Setting<ThermalSection>(
    \.governor.limits.shutdown, "shutdown", celsius.or("off"),
    only: "ascending; needs power.method", "the limit at which the machine is powered off"
  ).orSection([
    Setting(
      \.governor.limits.shutdown, "limit", celsius,
      "the limit at which the machine is powered off"),
    Setting(
      \.governor.shutdownDelay, "after", .duration(.zero...(.seconds(600))),
      "the time that a zone must have been that hot"),
  ])

  private static let zoneLimits = Setting<ThermalSection>(
    [
      ConfigurationKey(
        "zones", "list or section", zone.range, "the zones that are watched"),
      ConfigurationKey("zones.ZONE", "section", "the limits of a zone"),
    ] + ThermalLimits.keys(below: "zones.ZONE")
  ) { section, thermal in
    if section.isSection("zones"), let named = section.section("zones") {
      thermal.readZones(named)
    } else if let zones = section.list("zones", of: zone) {
      thermal.zones = zones
    }
  }

  private static let zone = SettingForm<String>(
    "text", range: "types of thermal zones", expected: "the type of a thermal zone", text: { $0 },
    parse: { isZone($0) ? $0 : nil })

  private static func isZone(_ text: String) -> Bool { !text.isEmpty && !text.contains("/") }

  private mutating func readZones(_ named: SettingsSection) {
    for name in named.keys {
      guard let zone = named.section(name) else { continue }
      if !Self.isZone(name) { named.note("is no type of a thermal zone", at: name) }
      zones.append(name)
      var limits = governor.limits
      limits.fill(from: zone)
      if limits != governor.limits { governor.zoneLimits[name] = limits }
    }
  }

  /// Refuses common limits that do not ascend.
  package mutating func agree(in section: SettingsSection) {
    governor.limits.agree(in: section)
  }
}

private let celsius = SettingForm<Double>.number(-40...150, unit: "°C")

/// A section of `thermal.zones`: the limits of a zone that has limits of its own.
extension ThermalLimits: SettingsPart {
  /// Makes the limits of a zone without limits of its own.
  package init() { self = ThermalGovernor.Configuration().limits }

  /// The keys of a zone.
  package static let settings: [Setting<ThermalLimits>] = [
    Setting(
      \.fair, "fair", celsius, only: "ascending", default: common,
      "the limit of the state fair in the zone"),
    Setting(
      \.serious, "serious", celsius, only: "ascending", default: common,
      "the limit of the state serious in the zone"),
    Setting(
      \.critical, "critical", celsius, only: "ascending", default: common,
      "the limit of the state critical in the zone"),
    Setting(
      \.shutdown, "shutdown", celsius.or("off"), only: "ascending", default: common,
      "the limit of the zone at which the machine is powered off"),
  ]

  private static let common = "the limit of all zones"

  /// Refuses limits that do not ascend.
  package mutating func agree(in section: SettingsSection) {
    guard !isAscending else { return }
    let keys = ["shutdown", "critical", "serious", "fair"]
    section.note(
      "\"fair\", \"serious\", \"critical\" and \"shutdown\" must ascend, found \(fair), "
        + "\(serious), \(critical), " + (shutdown.map { "\($0)" } ?? "off"),
      at: keys.first { section.has($0) } ?? "fair")
  }
}
