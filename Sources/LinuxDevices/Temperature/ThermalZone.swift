package import Devices

/// A thermal zone of the kernel (`/sys/class/thermal/thermal_zoneN`).
///
/// The zone is looked up by its type and then by its directory's name. Zones come and go with their
/// drivers, and their numbers depend on the order of that. So the type is read at each reading.
package actor ThermalZone: TemperatureSensor {
  /// The zone's type (`cpu-thermal`) or its directory (`thermal_zone0`).
  package nonisolated let name: String

  private let zones: SysfsDirectory
  private let executor: DispatchQueueExecutor
  /// The zone that had the type at the last reading.
  private var found: SysfsDirectory?

  /// The actor's own queue, where attributes are read.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes a sensor; nothing is opened before the first reading.
  ///
  /// - Parameters:
  ///   - name: the zone's type, or its directory when it begins with `thermal_zone`; the first of
  ///     several zones with the type is used.
  ///   - sysfs: the path of sysfs.
  package init(name: String, sysfs: String = "/sys") {
    self.name = name
    zones = SysfsDirectory(path: sysfs + "/class/thermal")
    executor = DispatchQueueExecutor(label: "platen.temperature.\(name)")
  }

  /// Reads the temperature in degrees Celsius (`temp`).
  ///
  /// - Throws: ``DeviceError``: `absent`, `permissionDenied`, `inputOutput`, or `implausible` for a
  ///   value outside −60...250.
  package func temperature() async throws(DeviceError) -> Double {
    let zone = try find()
    let text: String
    do {
      text = try zone.read("temp")
    } catch {
      throw DeviceError(error, device: name, problem: "cannot be read")
    }
    guard let temperature = Self.degrees(text) else {
      throw DeviceError(
        .implausible, device: name, problem: "gave no temperature",
        cause: "\"\(text)\" is not a number of millidegrees from -60000 to 250000")
    }
    return temperature
  }

  private func find() throws(DeviceError) -> SysfsDirectory {
    if let found, (try? found.read("type")) == name { return found }
    let directories: [String]
    do {
      directories = try zones.numberedEntries(prefix: "thermal_zone")
    } catch {
      throw DeviceError(error, device: name, problem: "cannot be looked for")
    }
    found = directories.map(zones.appending).first { (try? $0.read("type")) == name }
    if let found { return found }
    if directories.contains(name) { return zones.appending(name) }
    throw DeviceError(
      .absent, device: name, problem: "is not among the thermal zones", cause: known(directories))
  }

  private func known(_ directories: [String]) -> String {
    let types = directories.compactMap { try? zones.appending($0).read("type") }
    return types.isEmpty ? "there are none" : "there are \(types.joined(separator: ", "))"
  }

  private static func degrees(_ millidegrees: String) -> Double? {
    guard let value = Int(millidegrees), (-60_000...250_000).contains(value) else { return nil }
    return Double(value) / 1000
  }
}
