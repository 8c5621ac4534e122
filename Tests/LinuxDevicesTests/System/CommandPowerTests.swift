import Devices
import Foundation
import LinuxDevices
import Testing

@Suite(.timeLimit(.minutes(10))) struct CommandPowerTests {
  private let folder: FakeSysfs

  init() throws {
    folder = FakeSysfs()
  }

  @Test func `a check does not run the command`() async throws {
    let power = CommandPower(powerOff: ["/bin/true"], restart: ["/nonexistent/restart"])
    try await power.checkPowerOff()
    let missing = await #expect(throws: DeviceError.self) { try await power.checkRestart() }
    #expect(missing?.code == .absent)
    let none = await #expect(throws: DeviceError.self) {
      try await CommandPower(powerOff: [], restart: []).checkPowerOff()
    }
    #expect(none?.code == .unsupported)
  }

  @Test func `each request has its own command and no shell reads it`() async throws {
    let hostile = "\(folder.path)/a b; $(touch x) *"
    let power = CommandPower(
      powerOff: ["/usr/bin/touch", hostile], restart: ["/usr/bin/touch", "\(folder.path)/restart"])
    try await power.powerOff()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a b; $(touch x) *"])
    try await power.restart()
    #expect(FileManager.default.fileExists(atPath: "\(folder.path)/restart"))
  }

  @Test func `a failing command tells its exit status or signal`() async throws {
    let power = CommandPower(
      powerOff: ["/bin/sh", "-c", "exit 3"], restart: ["/bin/sh", "-c", "kill -TERM $$"])
    let failed = await #expect(throws: DeviceError.self) { try await power.powerOff() }
    #expect(
      failed?.description == "\"/bin/sh\" failed at switching the machine off: exit status 3")
    let ended = await #expect(throws: DeviceError.self) { try await power.restart() }
    #expect(ended?.cause == "ended by signal 15")
    #expect(ended?.code == .inputOutput)
  }

  @Test func `a command that cannot be run gives the reason`() async throws {
    try folder.set("plain", "")
    let power = CommandPower(
      powerOff: ["\(folder.path)/missing"], restart: ["\(folder.path)/plain"])
    let missing = await #expect(throws: DeviceError.self) { try await power.powerOff() }
    #expect(missing?.code == .absent)
    let plain = await #expect(throws: DeviceError.self) { try await power.restart() }
    #expect(plain?.code == .permissionDenied)
  }

  @Test func `a hanging command is killed`() async throws {
    let power = CommandPower(
      powerOff: ["/bin/sleep", "3600"], restart: [], timeout: .milliseconds(200))
    let error = await #expect(throws: DeviceError.self) { try await power.powerOff() }
    #expect(error?.code == .timedOut)
    let none = await #expect(throws: DeviceError.self) { try await power.restart() }
    #expect(none?.code == .unsupported)
  }

  @Test func `a canceled task still waits for its command`() async throws {
    let file = "\(folder.path)/done"
    let power = CommandPower(
      powerOff: ["/bin/sh", "-c", "sleep 0.2; touch \"$0\"", file], restart: [])
    let task = Task { try await power.powerOff() }
    task.cancel()
    try await task.value
    #expect(FileManager.default.fileExists(atPath: file))
  }
}
