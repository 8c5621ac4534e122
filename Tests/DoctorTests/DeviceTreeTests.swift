import Testing

@testable import Doctor

@Suite struct DeviceTreeTests {
  @Test func `the model and the nodes are read`() throws {
    let machine = try FakeMachine()
    let tree = DeviceTree(files: machine.files)
    #expect(tree.model == "Raspberry Pi 4 Model B Rev 1.4")
    #expect(tree.nodes.contains { $0.path == "/soc/i2c@7e804000/accelerometer@18" })
    #expect(tree.nodes.allSatisfy { $0.isEnabled })
    let sensor = try #require(tree.nodes(of: "lis3dh").first)
    #expect(sensor.name == "accelerometer@18" && sensor.parent == "/soc/i2c@7e804000")
    #expect(tree.nodes(of: "mpu6050").isEmpty)
  }

  @Test func `an LED has the name of its line`() throws {
    let machine = try FakeMachine()
    let ready = DeviceTree.LED(name: "rig:green:ready", line: "READY", isEnabled: true)
    #expect(DeviceTree(files: machine.files).leds == [ready])
  }

  @Test(arguments: [1, 9] as [UInt8])
  func `an LED at a line without a name has no line`(_ line: UInt8) throws {
    let machine = try FakeMachine()
    try machine.declareLED("rig:blue:upload", line: line)
    let leds = DeviceTree(files: machine.files).leds
    let upload = try #require(leds.first { $0.name == "rig:blue:upload" })
    #expect(upload.line == nil)
  }

  @Test func `a node below a disabled one is disabled`() throws {
    let machine = try FakeMachine()
    try machine.write("disabled\0", to: "/proc/device-tree/soc/i2c@7e804000/status")
    let tree = DeviceTree(files: machine.files)
    let sensor = try #require(tree.nodes(of: "lis3dh").first)
    #expect(!sensor.isEnabled)
    #expect(tree.leds.map(\.isEnabled) == [true])
  }

  @Test func `a machine without a device tree has no model`() throws {
    let machine = try FakeMachine()
    try machine.remove("/proc/device-tree")
    let tree = DeviceTree(files: machine.files)
    #expect(tree.model == nil && tree.nodes.isEmpty && tree.leds.isEmpty)
  }
}
