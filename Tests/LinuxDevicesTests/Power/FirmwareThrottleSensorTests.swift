import Devices
import LinuxDevices
import Testing

@Suite struct FirmwareThrottleSensorTests {
  private static let flags = "devices/platform/soc/soc:firmware/get_throttled"

  private let sysfs: FakeSysfs

  init() throws {
    sysfs = FakeSysfs()
  }

  private func sensor(alarm: String? = nil) -> FirmwareThrottleSensor {
    FirmwareThrottleSensor(alarm: alarm, sysfs: sysfs.path)
  }

  /// The places of the flags in Raspberry Pis' kernels: `bcm283x-rpi.dtsi`, `bcm2712-rpi.dtsi`.
  @Test(arguments: [
    "soc/soc:firmware", "soc@107c000000/soc@107c000000:firmware",
  ])
  func `the flags are found on every model`(_ device: String) async throws {
    try sysfs.set("devices/platform/\(device)/get_throttled", "4")
    try sysfs.set("devices/platform/serial8250/uevent", "")
    #expect(try await sensor().status() == ThrottleStatus(now: .throttled))
  }

  private static let all: ThrottleFlags = [
    .undervoltage, .frequencyCapped, .throttled, .softTemperatureLimit,
  ]

  static let texts: [(String, ThrottleFlags, ThrottleFlags)] = [
    ("0", [], []), ("0x0", [], []), ("50000", [], [.undervoltage, .throttled]),
    ("50005", [.undervoltage, .throttled], [.undervoltage, .throttled]),
    ("0x20002", .frequencyCapped, .frequencyCapped),
    ("8", .softTemperatureLimit, .softTemperatureLimit),
    ("f000f", all, all), ("fffffff0", [], all),
  ]

  @Test(arguments: texts)
  func `the firmware's bits are flags`(
    _ text: String, _ now: ThrottleFlags, _ sinceBoot: ThrottleFlags
  ) async throws {
    try sysfs.set(Self.flags, text)
    #expect(try await sensor().status() == ThrottleStatus(now: now, sinceBoot: sinceBoot))
  }

  @Test(arguments: ["", "warm", "-1", "100000000", "5 5", "0x", "+5"])
  func `an impossible value of the flags is implausible`(_ text: String) async throws {
    try sysfs.set(Self.flags, text)
    let error = await #expect(throws: DeviceError.self) { try await sensor().status() }
    #expect(error?.code == .implausible)
    #expect(error?.description.contains("\"\(text)\"") == true)
  }

  /// Some firmware forgets the older bits as soon as they have been read.
  @Test func `a flag that has been seen is kept`() async throws {
    let sensor = sensor()
    try sysfs.set(Self.flags, "10001")
    #expect(try await sensor.status().now == .undervoltage)
    try sysfs.set(Self.flags, "0")
    #expect(try await sensor.status() == ThrottleStatus(now: [], sinceBoot: .undervoltage))
  }

  @Test func `the alarm alone is enough and is found by its name`() async throws {
    try sysfs.set("class/hwmon/hwmon0/name", "cpu_thermal")
    try sysfs.set("class/hwmon/hwmon3/name", "rpi_volt")
    try sysfs.set("class/hwmon/hwmon3/in0_lcrit_alarm", "1")
    let sensor = sensor()
    #expect(try await sensor.status().now == .undervoltage)
    try sysfs.set("class/hwmon/hwmon3/in0_lcrit_alarm", "0")
    #expect(
      try await sensor.status()
        == ThrottleStatus(now: [], sinceBoot: .undervoltage, hasFlags: false))
    try sysfs.set(Self.flags, "4")
    #expect(
      try await sensor.status()
        == ThrottleStatus(now: .throttled, sinceBoot: .undervoltage, hasFlags: true))
    try sysfs.set("class/hwmon/hwmon3/in0_lcrit_alarm", "maybe")
    let error = await #expect(throws: DeviceError.self) { try await sensor.status() }
    #expect(error?.code == .implausible)
  }

  @Test func `an alarm from the configuration replaces the found one`() async throws {
    try sysfs.set("class/hwmon/hwmon3/name", "rpi_volt")
    try sysfs.set("class/hwmon/hwmon3/in0_lcrit_alarm", "0")
    try sysfs.set("alarm", "1")
    #expect(try await sensor(alarm: "\(sysfs.path)/alarm").status().now == .undervoltage)
  }

  @Test func `a board without firmware has no flags`() async throws {
    let error = await #expect(throws: DeviceError.self) { try await sensor().status() }
    #expect(error?.code == .absent)
    #expect(error?.description.contains("get_throttled nor a hwmon device rpi_volt") == true)
  }

  @Test func `a folder in place of the flags is an error`() async throws {
    try sysfs.set(Self.flags + "/x", "")
    let error = await #expect(throws: DeviceError.self) { try await sensor().status() }
    #expect(error?.code == .inputOutput)
  }
}
