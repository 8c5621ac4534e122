import RigConfiguration
import Settings
import Testing

@testable import Capture

/// The sections of heat and power in a file, and their mistakes.
@Suite struct HeatSectionTests {
  private func parse(_ extra: String) throws -> PlatenConfiguration {
    try PlatenConfiguration.parse(afterMinimum: extra)
  }

  @Test func `the sections have defaults`() throws {
    let configuration = try parse("")
    #expect(configuration.thermal.zones.isEmpty)
    #expect(configuration.thermal.governor == ThermalGovernor.Configuration())
    #expect(configuration.thermal.governor.limits.shutdown == 90)
    #expect(configuration.thermal.governor.dwell == .seconds(60))
    #expect(configuration.thermal.policy.criticalSpacing == nil, "critical refuses presses")
    #expect(configuration.power.method == .none)
    #expect(configuration.power.undervoltage == .warn)
  }

  @Test func `zones may have limits of their own`() throws {
    let section = try parse(
      """
      thermal:
        serious: 72
        zones:
          cpu-thermal: {}
          nvme: { fair: 45, serious: 50, critical: 55, shutdown: off }
          pmic: { shutdown: 95 }
      """
    ).thermal
    #expect(section.zones == ["cpu-thermal", "nvme", "pmic"])
    #expect(
      section.governor.limits(of: "cpu-thermal")
        == ThermalLimits(fair: 60, serious: 72, critical: 80, shutdown: 90))
    #expect(
      section.governor.limits(of: "nvme") == ThermalLimits(fair: 45, serious: 50, critical: 55))
    #expect(
      section.governor.limits(of: "pmic")
        == ThermalLimits(fair: 60, serious: 72, critical: 80, shutdown: 95))
  }

  @Test(arguments: ["shutdown: off", "shutdown: { limit: 99 }", "shutdown: 99"])
  func `the hard limit may be changed or turned off`(_ text: String) throws {
    let limit = try parse("thermal:\n  \(text)").thermal.governor.limits.shutdown
    #expect(limit == (text.hasSuffix("off") ? nil : 99))
  }

  @Test func `the spacing may be off`() throws {
    let section = try parse("thermal:\n  critical: { spacing: off }").thermal
    #expect(section.policy.criticalSpacing == nil)
    #expect(section.governor.limits.critical == 80)
  }

  static let bad = [
    Mistake("thermal:\n  serious_frame_rate: 3", 5, "thermal.serious_frame_rate", "unknown key"),
    Mistake(
      "thermal:\n  serious: { frame_rate: 0 }", 5, "thermal.serious.frame_rate", "0.2 to 120"),
    Mistake("thermal:\n  serious: { uploads: slow }", 5, "thermal.serious.uploads", "single"),
    Mistake("thermal:\n  serious: { spacing: 3 s }", 5, "thermal.serious.spacing", "unknown key"),
    Mistake("thermal:\n  critical: { spacing: 0 s }", 5, "thermal.critical.spacing", "a duration"),
    Mistake("thermal:\n  critical: { spacing: 10 }", 5, "thermal.critical.spacing", "unit"),
    Mistake("thermal:\n  shutdown: 75", 5, "thermal.shutdown", "ascend"),
    Mistake("thermal:\n  shutdown: never", 5, "thermal.shutdown", "a number from -40 to 150"),
    Mistake("thermal:\n  shutdown: { after: 1 h }", 5, "thermal.shutdown.after", "a duration"),
    Mistake("thermal:\n  dwell: 10 ms", 5, "thermal.dwell", "a duration from 1 s to 1 h"),
    Mistake("thermal:\n  zones: { a/b: {} }", 5, "thermal.zones.a/b", "no type"),
    Mistake("thermal:\n  zones:\n    a: { fair: 75 }", 6, "thermal.zones.a.fair", "ascend"),
    Mistake("thermal:\n  zones:\n    a: { hot: 1 }", 6, "thermal.zones.a.hot", "unknown key"),
    Mistake("thermal:\n  zones:\n    a: 70", 6, "thermal.zones.a", "a section"),
    Mistake("power:\n  method: magic", 5, "power.method", "none, logind, command"),
    Mistake("power:\n  method: command", 5, "power.power_off", "is missing"),
    Mistake("power:\n  method: logind\n  power_off: [/a]", 6, "power.power_off", "command\" only"),
    Mistake("power:\n  method: command\n  power_off: [halt]", 6, "power.power_off", "absolute"),
    Mistake("power:\n  method: command\n  power_off: []", 6, "power.power_off", "absolute"),
    Mistake("power:\n  method: command\n  power_off: /a", 6, "power.power_off", "a list"),
    Mistake("power:\n  undervoltage: off", 5, "power.undervoltage", "warn, refuse"),
    Mistake("power:\n  throttled: here", 5, "power.throttled", "an absolute path"),
    Mistake("power:\n  volts: 5", 5, "power.volts", "unknown key"),
  ]

  @Test(arguments: bad)
  func `mistakes are reported with their line`(_ bad: Mistake) throws {
    let errors = #expect(throws: ConfigurationErrors.self) { try parse(bad.text) }
    let issues = errors?.issues ?? []
    #expect(issues.count == 1, "\(issues)")
    #expect(issues.first?.line == bad.line)
    #expect(issues.first?.key == bad.key)
    #expect(issues.first?.problem.contains(bad.fragment) == true, "\(issues)")
  }
}
