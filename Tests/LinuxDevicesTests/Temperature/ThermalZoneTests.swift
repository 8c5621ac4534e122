import Devices
import LinuxDevices
import Testing

@Suite struct ThermalZoneTests {
  private let sysfs: FakeSysfs

  init() throws {
    sysfs = FakeSysfs()
  }

  private func makeZone(_ number: Int, type: String, temp: String) throws {
    try sysfs.set("class/thermal/thermal_zone\(number)/type", type)
    try sysfs.set("class/thermal/thermal_zone\(number)/temp", temp)
  }

  private func zone(_ name: String) -> ThermalZone {
    ThermalZone(name: name, sysfs: sysfs.path)
  }

  @Test(arguments: [("48312", 48.312), ("-12500", -12.5), ("0", 0), ("250000", 250)])
  func `millidegrees become degrees`(text: String, temperature: Double) async throws {
    try makeZone(0, type: "cpu-thermal", temp: text)
    #expect(try await zone("cpu-thermal").temperature() == temperature)
  }

  @Test(arguments: ["-60001", "250001", "", "warm", "1e3", "45000 45000"])
  func `an impossible temperature is implausible`(text: String) async throws {
    try makeZone(0, type: "cpu-thermal", temp: text)
    let error = await #expect(throws: DeviceError.self) {
      try await zone("cpu-thermal").temperature()
    }
    #expect(error?.code == .implausible)
  }

  @Test func `a zone is found by its type or its folder`() async throws {
    try makeZone(0, type: "gpu", temp: "1000")
    try makeZone(10, type: "cpu-thermal", temp: "10000")
    try makeZone(2, type: "cpu-thermal", temp: "2000")
    #expect(try await zone("cpu-thermal").temperature() == 2)
    #expect(try await zone("thermal_zone10").temperature() == 10)
  }

  @Test func `a zone that moves to another number is found again`() async throws {
    try makeZone(0, type: "cpu-thermal", temp: "1000")
    let sensor = zone("cpu-thermal")
    #expect(try await sensor.temperature() == 1)
    try sysfs.remove("class/thermal/thermal_zone0")
    try makeZone(1, type: "cpu-thermal", temp: "2000")
    #expect(try await sensor.temperature() == 2)
  }

  @Test func `a missing zone is absent and the others are named`() async throws {
    try makeZone(0, type: "gpu", temp: "1000")
    let error = await #expect(throws: DeviceError.self) {
      try await zone("cpu-thermal").temperature()
    }
    #expect(error?.code == .absent)
    #expect(
      error?.description == "\"cpu-thermal\" is not among the thermal zones: there are gpu")
  }

  @Test func `a kernel without thermal zones has none`() async throws {
    let error = await #expect(throws: DeviceError.self) {
      try await zone("cpu-thermal").temperature()
    }
    #expect(error?.code == .absent)
  }
}
