import Devices
import LinuxDevices
import Testing

@Suite struct ClassLEDLampTests {
  @Test func `the lamp is lit with its full brightness`() async throws {
    let sysfs = FakeSysfs()
    try sysfs.set("class/leds/rig:white:lamp/max_brightness", "180")
    try sysfs.set("class/leds/rig:white:lamp/trigger", "none")
    try sysfs.set("class/leds/rig:white:lamp/brightness", "0")
    let lamp = ClassLEDLamp(name: "rig:white:lamp", sysfs: sysfs.path)
    #expect(lamp.name == "rig:white:lamp")
    for (isOn, brightness) in [(true, "180"), (false, "0"), (true, "180")] {
      try await lamp.turn(on: isOn)
      let found = try sysfs.get("class/leds/rig:white:lamp/brightness")
      #expect(found == brightness)
    }
    await lamp.release()
    let released = try sysfs.get("class/leds/rig:white:lamp/brightness")
    #expect(released == "0")
  }

  @Test func `a missing lamp is absent`() async throws {
    let sysfs = FakeSysfs()
    let led = ClassLEDLamp(name: "rig:white:lamp", sysfs: sysfs.path)
    let line = GPIOLineLamp(.offset(27, chip: "no such chip"))
    #expect(line.name == "no such chip line 27")
    let absent = await #expect(throws: DeviceError.self) { try await led.turn(on: true) }
    #expect(absent?.code == .absent)
    let missing = await #expect(throws: DeviceError.self) { try await line.turn(on: true) }
    #expect(missing?.code == .absent)
    await line.release()
  }
}
