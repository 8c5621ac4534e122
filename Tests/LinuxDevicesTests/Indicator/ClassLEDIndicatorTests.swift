import Devices
import TestSupport
import Testing

@testable import LinuxDevices

@Suite struct ClassLEDIndicatorTests {
  private static let name = "rig:green:ready"
  private let sysfs: FakeSysfs
  private let light: ClassLEDIndicator

  init() throws {
    sysfs = FakeSysfs()
    light = ClassLEDIndicator(name: Self.name, sysfs: sysfs.path)
  }

  private func makeLight(attributes: [String]) throws {
    try sysfs.set("class/leds/\(Self.name)/max_brightness", "255")
    for attribute in ["brightness", "trigger"] + attributes {
      try sysfs.set("class/leds/\(Self.name)/\(attribute)", "")
    }
  }

  private func attribute(_ name: String) throws -> String {
    try sysfs.get("class/leds/\(Self.name)/\(name)")
  }

  @Test func `a steady light has no trigger`() async throws {
    try makeLight(attributes: [])
    try await light.show(.on)
    #expect(try attribute("trigger") == "none")
    #expect(try attribute("brightness") == "255")
    try await light.show(.off)
    #expect(try attribute("brightness") == "0")
  }

  @Test func `blinking is left to the kernel`() async throws {
    try makeLight(attributes: ["delay_on", "delay_off"])
    try await light.show(.blink(on: .milliseconds(100), off: .milliseconds(400)))
    #expect(try attribute("trigger") == "timer")
    #expect(try attribute("brightness") == "255")
    #expect(try attribute("delay_on") == "100")
    #expect(try attribute("delay_off") == "400")
  }

  @Test func `other patterns are left to the kernel too`() async throws {
    try makeLight(attributes: ["pattern", "repeat"])
    try await light.show(.flashes(1))
    // A single flash is a two-step pattern, which the timer can play; three flashes are not.
    try await light.show(.flashes(3))
    #expect(try attribute("trigger") == "pattern")
    #expect(
      try attribute("pattern")
        == "255 150 255 0 0 250 0 0 255 150 255 0 0 250 0 0 255 150 255 0 0 1500 0 0")
  }

  @Test func `a pattern that the kernel lacks is played by the service`() async throws {
    // The trigger's attributes never come, as on a kernel without the trigger.
    try makeLight(attributes: [])
    try await light.show(.blink(on: .milliseconds(5), off: .milliseconds(5)))
    #expect(try attribute("trigger") == "none")
    var seen: Set<String> = []
    try await eventually {
      seen.insert(try attribute("brightness"))
      return seen.isSuperset(of: ["0", "255"])
    }
    await light.release()
    #expect(try attribute("brightness") == "0")
  }

  @Test func `a repeated pattern is not written again`() async throws {
    try makeLight(attributes: [])
    try await light.show(.on)
    try sysfs.set("class/leds/\(Self.name)/brightness", "17")
    try await light.show(.on)
    #expect(try attribute("brightness") == "17")
    await light.release()
    try await light.show(.on)
    #expect(try attribute("brightness") == "255")
  }

  @Test func `release turns the light off`() async throws {
    try makeLight(attributes: ["delay_on", "delay_off"])
    try await light.show(.blink(on: .milliseconds(100), off: .milliseconds(400)))
    await light.release()
    #expect(try attribute("trigger") == "none")
    #expect(try attribute("brightness") == "0")
  }

  @Test func `a light that does not exist is absent`() async {
    let error = await #expect(throws: DeviceError.self) { try await light.show(.on) }
    #expect(error?.code == .absent)
    #expect(
      error?.description == "\"rig:green:ready\" cannot be lit: No such file or directory")
  }

  @Test func `a light that comes back is lit by the next pattern`() async throws {
    await #expect(throws: DeviceError.self) { try await light.show(.on) }
    try makeLight(attributes: [])
    try await light.show(.on)
    #expect(try attribute("brightness") == "255")
  }

  @Test func `a lifetime is left to the kernel and refreshed by its count`() async throws {
    try makeLight(attributes: ["pattern", "repeat"])
    try await light.show(.on, for: .seconds(3))
    #expect(try attribute("trigger") == "pattern")
    #expect(try attribute("repeat") == "1")
    #expect(try attribute("pattern") == "255 3000 255 0 0 1 0 0")
    for name in ["pattern", "repeat", "trigger"] {
      try sysfs.set("class/leds/\(Self.name)/\(name)", "untouched")
    }
    try await light.show(.on, for: .seconds(3))
    #expect(try attribute("repeat") == "1")
    #expect(try attribute("pattern") == "untouched")
    #expect(try attribute("trigger") == "untouched")
  }

  @Test func `another pattern needs no other trigger`() async throws {
    try makeLight(attributes: ["pattern", "repeat"])
    try await light.show(.on, for: .seconds(3))
    try sysfs.set("class/leds/\(Self.name)/trigger", "untouched")
    try await light.show(.blink(on: .milliseconds(60), off: .milliseconds(60)), for: .seconds(3))
    #expect(try attribute("trigger") == "untouched")
    #expect(try attribute("repeat") == "25")
    #expect(try attribute("pattern") == "255 60 255 0 0 60 0 0")
    try await light.show(.off)
    #expect(try attribute("trigger") == "none")
    #expect(try attribute("brightness") == "0")
  }

  @Test func `a missing trigger is logged once with advice`() async throws {
    let log = RecordedLog()
    let clock = ManualClock()
    let light = ClassLEDIndicator(
      name: Self.name, sysfs: sysfs.path, clock: clock, logger: log.logger)
    try makeLight(attributes: [])
    for (pattern, duration) in [
      (IndicatorPattern.on, ClassLEDIndicator.firstTimeout),
      (.flashes(3), ClassLEDIndicator.laterTimeout),
    ] {
      let shown = Task { try await light.show(pattern, for: .seconds(3)) }
      // The wait for the trigger's attributes is in vain.
      await clock.run(for: duration)
      try await shown.value
      await light.release()
    }
    #expect(log.count("warning: the kernel cannot show a light's pattern") == 1)
    #expect(log.count("modprobe ledtrig-pattern") == 1)
  }

  @Test func `a pattern that the kernel plays is not logged`() async throws {
    let log = RecordedLog()
    let light = ClassLEDIndicator(name: Self.name, sysfs: sysfs.path, logger: log.logger)
    try makeLight(attributes: ["pattern", "repeat"])
    try await light.show(.on)
    try await light.show(.on, for: .seconds(3))
    #expect(log.count("light") == 0)
  }

  @Test func `a lifetime that the kernel lacks is kept by the service`() async throws {
    let clock = ManualClock()
    let light = ClassLEDIndicator(name: Self.name, sysfs: sysfs.path, clock: clock)
    try makeLight(attributes: [])
    let shown = Task { try await light.show(.on, for: .seconds(3)) }
    // The wait for the trigger's attributes is in vain.
    await clock.run(for: ClassLEDIndicator.firstTimeout)
    try await shown.value
    await clock.untilSleepers(1)
    #expect(try attribute("brightness") == "255")
    for _ in 0..<5 {
      await clock.run(for: .seconds(2))
      try await light.show(.on, for: .seconds(3))
    }
    #expect(try attribute("brightness") == "255")
    await clock.run(for: .seconds(1))
    #expect(try attribute("brightness") == "255")
    await clock.untilSleepers(1)
    clock.advance(by: .seconds(2))
    try await eventually { try attribute("brightness") == "0" }
  }
}
