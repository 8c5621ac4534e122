import API
import RigConfiguration
import Testing

@testable import Doctor

@Suite struct AccelerometerCheckTests {
  /// Raspberry Pi OS has no driver for a LIS3DH: the device tree names it, but no driver binds it.
  @Test(arguments: ["lis3dh", "lis3dh-accel"], [true, false])
  func `a sensor without a driver is reported as such`(client: String, hasDriver: Bool) async throws
  {
    let machine = try FakeMachine()
    try machine.remove("/sys/bus/iio/devices/iio:device0")
    try machine.write(client, to: "/sys/bus/i2c/devices/1-0018/name")
    if hasDriver {
      try machine.write("", to: "/sys/bus/i2c/devices/1-0018/driver/bind")
    }
    let configuration = try PlatenConfiguration.parse(FakeMachine.configuration, file: "x")
    let check = AccelerometerCheck(
      section: configuration.accelerometer, rotation: nil, isSimulated: false,
      files: machine.files)
    let said = try #require(await check.findings().first)
    #expect(said.verdict == .warning)
    let isSaid = said.seen.hasPrefix(
      "the kernel has no driver for \"lis3dh\" at 1-0018 on the I2C bus")
    #expect(isSaid == !hasDriver, "\(said.seen)")
  }
}
