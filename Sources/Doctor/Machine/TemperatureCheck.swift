import API
import Devices

/// The check of the temperature of each zone against its limits.
struct TemperatureCheck: DoctorCheck {
  let part = DoctorPart.temperatures
  /// Reads the zones.
  let read: @Sendable () async -> ThermalReport

  func findings() async -> [DoctorReport.Finding] {
    let report = await read()
    guard !report.temperatures.isEmpty else {
      return [notChecked("the configuration names no thermal zone")]
    }
    return report.temperatures.map { zone in
      guard let celsius = zone.celsius else {
        return warning(
          .sensorUnreadable, "the zone cannot be read, or there is none of that name",
          of: zone.zone)
      }
      let text = "\(Self.tenths(celsius)) °C, state \(report.state)"
      guard let limits = zone.limits else { return ok(text, of: zone.zone) }
      let code = DoctorCode(.thermalPressure)
      if celsius >= limits.critical {
        return fault(
          code, "\(text), at the limit \"critical\" of \(Self.tenths(limits.critical)) °C",
          of: zone.zone)
      }
      if celsius >= limits.serious {
        return warning(
          code, "\(text), at the limit \"serious\" of \(Self.tenths(limits.serious)) °C",
          of: zone.zone)
      }
      return ok(
        "\(text), \(Self.tenths(limits.serious - celsius)) K below \"serious\"", of: zone.zone)
    }
  }

  private static func tenths(_ value: Double) -> String {
    "\((value * 10).rounded() / 10)"
  }
}
