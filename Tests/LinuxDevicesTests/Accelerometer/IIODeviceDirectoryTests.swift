import Devices
import Testing

@testable import LinuxDevices

@Suite struct IIODeviceDirectoryTests {
  private let sysfs: FakeSysfs

  init() throws {
    sysfs = FakeSysfs()
    try sysfs.set("bus/iio/devices/iio:device1/name", "lis3dh")
    try sysfs.set("bus/iio/devices/iio:device1/label", "rig")
    for axis in ["x", "y", "z"] { try set("in_accel_\(axis)_raw", "100") }
    try sysfs.set("bus/iio/devices/iio:device0/name", "adc")
    try sysfs.set("bus/iio/devices/trigger3/name", "rigtrig")
  }

  private func set(_ attribute: String, _ value: String) throws {
    try sysfs.set("bus/iio/devices/iio:device1/\(attribute)", value)
  }

  private func get(_ attribute: String) throws -> String {
    try sysfs.get("bus/iio/devices/iio:device1/\(attribute)")
  }

  private func open(_ name: String = "lis3dh") throws(DeviceError) -> IIODeviceDirectory {
    try IIODeviceDirectory(name: name, sysfs: sysfs.path)
  }

  @Test(arguments: ["lis3dh", "rig", "iio:device1"])
  func `a device is found by name, label or ID`(name: String) throws {
    #expect(try open(name).id == "iio:device1")
  }

  @Test func `a device without axes is unsupported`() {
    let error = #expect(throws: DeviceError.self) { try open("adc") }
    #expect(error?.code == .unsupported)
  }

  @Test func `a missing device is absent`() {
    let error = #expect(throws: DeviceError.self) { try open("lis2dw12") }
    #expect(error?.code == .absent)
    #expect(
      error?.description == "\"lis2dw12\" cannot be found: no IIO device has that name")
  }

  @Test func `scale and offset belong to the axis or are shared`() throws {
    try set("in_accel_scale", "0.02")
    try set("in_accel_x_scale", "0.01")
    try set("in_accel_y_offset", "-50")
    let device = try open()
    let conversions = try IIODeviceDirectory.Axis.allCases.map { try device.conversion(of: $0) }
    #expect(conversions.map(\.scale) == [0.01, 0.02, 0.02])
    #expect(conversions.map(\.offset) == [0, -50, 0])
  }

  @Test func `a scale that is not a number is refused`() throws {
    try set("in_accel_scale", "nan")
    #expect(throws: SystemError.self) { try open().conversion(of: .x) }
  }

  @Test func `raw numbers are read in the order of the axes`() throws {
    try set("in_accel_y_raw", "-2048")
    #expect(try open().readRaw() == SIMD3<Int64>(100, -2048, 100))
    try set("in_accel_z_raw", "broken")
    #expect(throws: SystemError.self) { try open().readRaw() }
  }

  @Test(arguments: ["mount_matrix", "in_mount_matrix", "in_accel_mount_matrix"])
  func `the mount matrix has three names`(attribute: String) throws {
    try set(attribute, "0, 1, 0; -1, 0, 0; 0, 0, 1")
    let turned = try open().mountMatrix().applied(to: Acceleration(x: 1, y: 2, z: 3))
    #expect(turned == Acceleration(x: 2, y: -1, z: 3))
  }

  @Test func `readings without a matrix are not turned`() throws {
    #expect(try open().mountMatrix() == .identity)
    try set("mount_matrix", "broken")
    #expect(try open().mountMatrix() == .identity)
  }

  @Test(arguments: [
    (10.0, "1 10 25 50 100 200 400", "10"), (11, "1 10 25", "25"), (60, "1 10 25", "25"),
    (0.5, "0.78 12.5", "0.78"), (12.5, "6.25 12.500000 25.0", "12.500000"), (10, "", "10"),
    (2.5, "", "2.5"), (10, "[1 1 100]", "10"), (0.1, "[1 1 100]", "1"), (800, "[1 1 100]", "100"),
  ])
  func `the smallest sufficient rate is chosen`(rate: Double, available: String, chosen: String) {
    #expect(IIODeviceDirectory.rate(closestTo: rate, among: available) == chosen)
  }

  @Test func `the rate is written if the device has one`() throws {
    try set("sampling_frequency", "1")
    try set("sampling_frequency_available", "1 10 25 50")
    try open().requestRate(atLeast: 20)
    #expect(try get("sampling_frequency") == "25")
  }

  @Test func `a trigger is assigned once and must exist`() throws {
    try set("trigger/current_trigger", "")
    let directory = try open()
    #expect(directory.currentTrigger == nil)
    try directory.assignTrigger("rigtrig")
    #expect(directory.currentTrigger == "rigtrig")
    let failure = #expect(throws: SystemError.self) { try directory.assignTrigger("other") }
    #expect(failure?.code == .absent)
  }

  @Test func `a trigger's rate is its own`() throws {
    try sysfs.set("bus/iio/devices/trigger3/sampling_frequency", "100")
    try open().requestTriggerRate(25, of: "rigtrig")
    #expect(try sysfs.get("bus/iio/devices/trigger3/sampling_frequency") == "25")
  }

  @Test func `the monotonic clock is selected if the device has a choice`() throws {
    #expect(try !open().selectMonotonicClock())
    try set("current_timestamp_clock", "realtime")
    #expect(try open().selectMonotonicClock())
    #expect(try get("current_timestamp_clock") == "monotonic")
  }
}
