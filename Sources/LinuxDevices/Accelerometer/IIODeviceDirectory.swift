import Devices
import Glibc

/// An accelerometer's attributes in sysfs (`/sys/bus/iio/devices/iio:deviceN`).
///
/// libiio sorts shared and single attributes under device or channels depending on its version. The
/// kernel's own files have a single name each, so values that are read once are read here.
struct IIODeviceDirectory: Sendable {
  /// The device's attributes.
  let attributes: SysfsDirectory
  /// The device's directory name, for example `iio:device0`.
  let id: String

  private let bus: SysfsDirectory

  /// Finds a device by its name, its label or its ID.
  ///
  /// - Parameters:
  ///   - name: the device's name, label or ID, for example `lis3dh` or `iio:device0`.
  ///   - sysfs: the path of sysfs.
  /// - Throws: ``DeviceError``: `absent`, or `unsupported` when it has no accelerometer's channels.
  init(name: String, sysfs: String) throws(DeviceError) {
    bus = SysfsDirectory(path: sysfs + "/bus/iio/devices")
    guard let id = Self.find(name, prefix: "iio:device", in: bus) else {
      throw DeviceError(
        .absent, device: name, problem: "cannot be found", cause: "no IIO device has that name")
    }
    self.id = id
    attributes = bus.appending(id)
    guard Axis.allCases.allSatisfy({ attributes.has($0.attribute("raw")) }) else {
      throw DeviceError(
        .unsupported, device: name, problem: "cannot be read",
        cause: "it has not the channels accel_x, accel_y and accel_z")
    }
  }

  /// The axes, in the order of ``Acceleration``.
  enum Axis: String, CaseIterable {
    case x, y, z

    /// Returns the name of the axis's own attribute, for example `in_accel_x_raw`.
    func attribute(_ name: String) -> String { "in_accel_\(rawValue)_\(name)" }
  }

  // MARK: Conversion of raw numbers into m/s²

  /// Reads the conversion of an axis's raw numbers into m/s²: `(raw + offset) × scale`.
  ///
  /// Offset and scale are each the axis's own (`in_accel_x_scale`) or shared (`in_accel_scale`). A
  /// missing offset counts as 0, and without a scale the numbers are m/s² already.
  ///
  /// - Throws: ``SystemError`` from reading, `EINVAL` when a value is not a number.
  func conversion(of axis: Axis) throws(SystemError) -> (offset: Double, scale: Double) {
    (try number("offset", of: axis) ?? 0, try number("scale", of: axis) ?? 1)
  }

  private func number(_ name: String, of axis: Axis) throws(SystemError) -> Double? {
    for attribute in [axis.attribute(name), "in_accel_\(name)"] where attributes.has(attribute) {
      let text = try attributes.read(attribute)
      guard let value = Double(text), value.isFinite else { throw SystemError(EINVAL) }
      return value
    }
    return nil
  }

  /// Reads the mount matrix under any of its names; identity when it is missing or unreadable.
  func mountMatrix() -> MountMatrix {
    for attribute in ["mount_matrix", "in_mount_matrix", "in_accel_mount_matrix"] {
      if let text = try? attributes.read(attribute), let matrix = MountMatrix(kernelText: text) {
        return matrix
      }
    }
    return .identity
  }

  /// Reads the three axes once (`in_accel_x_raw` and so on) as raw numbers, not yet scaled.
  ///
  /// A sensor that sleeps between readings takes up to two of its sample periods for each axis.
  ///
  /// - Throws: ``SystemError`` from reading, `EINVAL` when a value is not a number.
  func readRaw() throws(SystemError) -> SIMD3<Int64> {
    var values = SIMD3<Int64>()
    for (index, axis) in Axis.allCases.enumerated() {
      guard let raw = Int64(try attributes.read(axis.attribute("raw"))) else {
        throw SystemError(EINVAL)
      }
      values[index] = raw
    }
    return values
  }

  // MARK: Rate, trigger, clock

  /// Requests the smallest sample rate that is not below the wanted one, or the largest there is.
  ///
  /// A refusal changes nothing: the sensor then keeps its rate.
  func requestRate(atLeast rate: Double) {
    for prefix in ["", "in_accel_"] where attributes.has(prefix + "sampling_frequency") {
      let available = (try? attributes.read(prefix + "sampling_frequency_available")) ?? ""
      let chosen = Self.rate(closestTo: rate, among: available)
      try? attributes.write(chosen, to: prefix + "sampling_frequency")
    }
  }

  /// Chooses a rate from the kernel's list: `1 10 25 50`, or `[lowest step highest]`.
  ///
  /// A listed rate keeps its spelling.
  static func rate(closestTo rate: Double, among available: String) -> String {
    let isRange = available.hasPrefix("[")
    let listed = available.split { $0 == " " || $0 == "[" || $0 == "]" }.map(String.init)
    let rates = listed.compactMap { text in Double(text).map { (text: text, value: $0) } }
    let wanted = rate == rate.rounded() ? String(Int(rate)) : String(rate)
    if isRange, rates.count == 3 {
      if rate < rates[0].value { return rates[0].text }
      return rate > rates[2].value ? rates[2].text : wanted
    }
    let notBelow = rates.filter { $0.value >= rate }.min { $0.value < $1.value }
    return (notBelow ?? rates.max { $0.value < $1.value })?.text ?? wanted
  }

  /// Whether the device has a buffer that a trigger can fill.
  var hasBuffer: Bool { attributes.appending("buffer").exists }

  /// The name of the trigger that the device is assigned to; `nil` when there is none.
  var currentTrigger: String? {
    guard let name = try? attributes.appending("trigger").read("current_trigger"), !name.isEmpty
    else { return nil }
    return name
  }

  /// Assigns a trigger, unless the device has it already.
  ///
  /// - Throws: ``SystemError``: `ENODEV` when there is no such trigger, `EBUSY` while a buffer runs.
  func assignTrigger(_ name: String) throws(SystemError) {
    guard Self.find(name, prefix: "trigger", in: bus) != nil else { throw SystemError(ENODEV) }
    guard currentTrigger != name else { return }
    try attributes.appending("trigger").write(name, to: "current_trigger")
  }

  /// Requests a rate of a trigger; a trigger without its own, like a data-ready line, ignores it.
  func requestTriggerRate(_ rate: Double, of name: String) {
    guard let id = Self.find(name, prefix: "trigger", in: bus) else { return }
    let wanted = rate == rate.rounded() ? String(Int(rate)) : String(rate)
    try? bus.appending(id).write(wanted, to: "sampling_frequency")
  }

  /// Makes the device stamp its samples with `CLOCK_MONOTONIC`; `false` when it does not.
  func selectMonotonicClock() -> Bool {
    // The clock must not change while the buffer runs, and is often still set from the last time.
    if (try? attributes.read("current_timestamp_clock")) == "monotonic" { return true }
    return (try? attributes.write("monotonic", to: "current_timestamp_clock")) != nil
  }

  /// Finds an entry by its `name`, its `label` or its own directory name.
  private static func find(_ name: String, prefix: String, in bus: SysfsDirectory) -> String? {
    let entries = (try? bus.numberedEntries(prefix: prefix)) ?? []
    return entries.first { entry in
      let entryAttributes = bus.appending(entry)
      return (try? entryAttributes.read("name")) == name
        || (try? entryAttributes.read("label")) == name || entry == name
    }
  }
}
