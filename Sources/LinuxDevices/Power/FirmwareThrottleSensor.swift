package import Devices

/// The throttle flags of a Raspberry Pi's firmware, as the kernel reports them.
///
/// Two kernel attributes are read, and either may be missing. `get_throttled` of the firmware's
/// driver is a hexadecimal number. Its bits 0 to 3 are the current flags, and its bits 16 to 19 the
/// earlier ones. `in0_lcrit_alarm` of the `rpi_volt` hwmon device is 1 during undervoltage. Some
/// firmware clears the earlier bits on a read, so the sensor accumulates them.
package actor FirmwareThrottleSensor: ThrottleSensor {
  /// The sensor's name: `firmware`.
  package nonisolated let name = "firmware"

  private let flagsPath: String?
  private let platform: SysfsDirectory
  private let alarmPath: String?
  private let monitors: SysfsDirectory
  private var seen: ThrottleFlags = []
  /// The firmware's device and the hwmon device of the last reading that found them.
  private var lastFound: (firmware: SysfsDirectory?, monitor: SysfsDirectory?) = (nil, nil)
  private let executor = DispatchQueueExecutor(label: "platen.throttle")

  /// The actor's own queue, where attributes are read.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes a sensor; nothing is opened before the first reading.
  ///
  /// - Parameters:
  ///   - flags: the path of `get_throttled`; by default that of the firmware's device, which is
  ///     named after the `soc` node of the device tree: `soc/soc:firmware` on a Raspberry Pi up to
  ///     4, `soc@107c000000/soc@107c000000:firmware` on a Raspberry Pi 5 (`bcm2712-rpi.dtsi`).
  ///   - alarm: the path of the undervoltage alarm; by default that of the hwmon device `rpi_volt`.
  ///   - sysfs: the path of sysfs.
  package init(
    flags: String? = nil, alarm: String? = nil, sysfs: String = "/sys"
  ) {
    flagsPath = flags
    alarmPath = alarm
    monitors = SysfsDirectory(path: sysfs + "/class/hwmon")
    platform = SysfsDirectory(path: sysfs + "/devices/platform")
  }

  /// Reads the flags.
  ///
  /// - Throws: ``DeviceError``: `absent` when the kernel has neither attribute, `permissionDenied`,
  ///   `inputOutput`, or `implausible` for a value that is no set of flags.
  package func status() async throws(DeviceError) -> ThrottleStatus {
    var isPresent = false
    var now: ThrottleFlags = []
    var hasFlags = false
    if let flags = flagsPath ?? foundFlags, let text = try read(flags) {
      (isPresent, hasFlags) = (true, true)
      guard let bits = Self.bits(text) else {
        throw DeviceError(
          .implausible, device: name, problem: "gave no throttle flags",
          cause: "\"\(text)\" is not a hexadecimal number of 32 bits")
      }
      now = ThrottleFlags(rawValue: bits & 0xF)
      seen.formUnion(ThrottleFlags(rawValue: bits >> 16 & 0xF))
    }
    if let alarm = alarmPath ?? foundAlarm, let text = try read(alarm) {
      isPresent = true
      guard text == "0" || text == "1" else {
        throw DeviceError(
          .implausible, device: name, problem: "gave no undervoltage alarm",
          cause: "\"\(text)\" is neither 0 nor 1")
      }
      if text == "1" { now.insert(.undervoltage) }
    }
    guard isPresent else {
      throw DeviceError(
        .absent, device: name, problem: "has no throttle flags",
        cause: "there is neither "
          + (flagsPath.map { "\"\($0)\"" } ?? "a device soc:firmware with get_throttled") + " nor "
          + (alarmPath.map { "\"\($0)\"" } ?? "a hwmon device rpi_volt"))
    }
    seen.formUnion(now)
    return ThrottleStatus(now: now, sinceBoot: seen, hasFlags: hasFlags)
  }

  /// The flags of the firmware's device, for any name of the `soc` node.
  private var foundFlags: String? {
    if lastFound.firmware?.has("get_throttled") != true {
      let nodes = (try? SystemCalls.names(in: platform.path)) ?? []
      lastFound.firmware = nodes.filter { $0 == "soc" || $0.hasPrefix("soc@") }
        .map { platform.appending("\($0)/\($0):firmware") }.first { $0.has("get_throttled") }
    }
    return lastFound.firmware.map { $0.path + "/get_throttled" }
  }

  /// The alarm of the hwmon device `rpi_volt`; its number depends on the order of the drivers.
  private var foundAlarm: String? {
    if (try? lastFound.monitor?.read("name")) != "rpi_volt" {
      let directories = (try? monitors.numberedEntries(prefix: "hwmon")) ?? []
      lastFound.monitor = directories.map(monitors.appending).first { directory in
        (try? directory.read("name")) == "rpi_volt"
      }
    }
    return lastFound.monitor.map { $0.path + "/in0_lcrit_alarm" }
  }

  /// Reads an attribute; `nil` when it does not exist.
  private func read(_ path: String) throws(DeviceError) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let directory = SysfsDirectory(path: parts.dropLast().joined(separator: "/"))
    do {
      return try directory.read(String(parts.last ?? ""))
    } catch  where error.code == .absent {
      return nil
    } catch {
      throw DeviceError(error, device: path, problem: "cannot be read")
    }
  }

  /// Returns the firmware's bits; the kernel writes them without `0x`, vcgencmd with it.
  private static func bits(_ text: String) -> UInt32? {
    let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
    guard digits.allSatisfy(\.isHexDigit) else { return nil }
    return UInt32(digits, radix: 16)
  }
}
