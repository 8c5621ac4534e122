import API
import Testing

@testable import Doctor

@Suite struct WiringCheckTests {
  private func findings(_ machine: FakeMachine) async throws -> [DoctorReport.Finding] {
    try await machine.evidence(isServiceRunning: true).check(of: .wiring).findings()
  }

  @Test func `each wire and the model have a finding`() async throws {
    let machine = try FakeMachine()
    let found = try await findings(machine)
    #expect(
      found.map(\.subject) == [
        "model", "watchdog", "shutter", "ready", "fault", "lamp", "accelerometer",
      ])
    #expect(
      found.map(\.seen) == [
        "Raspberry Pi 4 Model B Rev 1.4", "a machine that hangs is reset after 60 s",
        "the line SHUTTER is held by \"platen\"",
        "device tree and kernel have the LED \"rig:green:ready\" at the line READY",
        "the line FAULT is held by \"platen\"",
        "the kernel has the LED \"rig:white:lamp\", without the device tree",
        "device tree and kernel have the sensor \"/soc/i2c@7e804000/accelerometer@18\"",
      ])
  }

  @Test func `a machine without a device tree is not checked`() async throws {
    let machine = try FakeMachine()
    try machine.remove("/proc/device-tree")
    let found = try await findings(machine)
    #expect(found.map(\.verdict) == [.notChecked])
  }

  @Test func `a conflict of a line is reported once`() async throws {
    let machine = try FakeMachine()
    try machine.declareLED("rig:red:fault", line: 3)
    let complaints = try await findings(machine).filter { $0.verdict != .ok }
    #expect(complaints.map(\.code) == ["lineInDeviceTree"])
    #expect(complaints.map(\.subject) == ["fault"])
    #expect(
      complaints[0].seen == "the device tree gives the line FAULT to the LED \"rig:red:fault\"")
  }
}
