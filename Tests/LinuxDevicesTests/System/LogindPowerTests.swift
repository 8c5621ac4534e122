import Devices
import LinuxDevices
import Testing

@Suite(.timeLimit(.minutes(10))) struct LogindPowerTests {
  @Test func `the manager is asked without a question to a person`() async throws {
    let manager = try LoginManagerStandIn()
    defer { manager.end() }
    let power = LogindPower(busAddress: manager.address)
    try await power.powerOff()
    try await power.restart()
    #expect(
      manager.requests == [
        .init(method: "PowerOff", isInteractive: false),
        .init(method: "Reboot", isInteractive: false),
      ])
  }

  @Test func `a check asks the manager for its permission`() async throws {
    let manager = try LoginManagerStandIn(.text("yes"))
    defer { manager.end() }
    let power = LogindPower(busAddress: manager.address)
    try await power.checkPowerOff()
    try await power.checkRestart()
    #expect(manager.requests.map(\.method) == ["CanPowerOff", "CanReboot"])
  }

  @Test(arguments: ["no", "challenge", "na", ""])
  func `any answer but yes is a refusal`(_ answer: String) async throws {
    let manager = try LoginManagerStandIn(.text(answer))
    defer { manager.end() }
    let error = await #expect(throws: DeviceError.self) {
      try await LogindPower(busAddress: manager.address).checkRestart()
    }
    #expect(error?.code == .permissionDenied)
    #expect(error?.description.contains("CanReboot says \"\(answer)\"") == true)
  }

  @Test func `a check without a manager fails`() async throws {
    let manager = try LoginManagerStandIn(isPresent: false)
    defer { manager.end() }
    let error = await #expect(throws: DeviceError.self) {
      try await LogindPower(busAddress: manager.address).checkPowerOff()
    }
    #expect(error?.code == .absent)
  }

  /// A refusal: its name on the bus and the code that it becomes.
  static let refusals: [(String, DeviceError.Code)] = [
    ("org.freedesktop.DBus.Error.AccessDenied", .permissionDenied),
    ("org.freedesktop.DBus.Error.InteractiveAuthorizationRequired", .permissionDenied),
    ("org.freedesktop.DBus.Error.NoReply", .timedOut),
    ("org.freedesktop.login1.OperationInProgress", .inputOutput),
  ]

  @Test(arguments: refusals)
  func `a refusal has its reason`(_ name: String, _ code: DeviceError.Code) async throws {
    let manager = try LoginManagerStandIn(.error(name: name, message: "it may not be"))
    defer { manager.end() }
    let power = LogindPower(busAddress: manager.address)
    let error = await #expect(throws: DeviceError.self) { try await power.powerOff() }
    if code != .inputOutput { #expect(error?.code == code) }
    #expect(
      error?.description
        == "\"org.freedesktop.login1\" did not switch the machine off: it may not be")
    #expect(manager.requests.count == 1)
  }

  @Test func `a manager that does not answer times out`() async throws {
    let manager = try LoginManagerStandIn(.silence)
    defer { manager.end() }
    let power = LogindPower(busAddress: manager.address, timeout: .milliseconds(200))
    let error = await #expect(throws: DeviceError.self) { try await power.restart() }
    #expect(error?.code == .timedOut)
  }

  @Test func `a forbidding bus gives permission denied`() async throws {
    let manager = try LoginManagerStandIn(isForbidden: true)
    defer { manager.end() }
    let error = await #expect(throws: DeviceError.self) {
      try await LogindPower(busAddress: manager.address).powerOff()
    }
    #expect(error?.code == .permissionDenied)
    #expect(manager.requests.isEmpty)
  }

  @Test func `a bus without a manager and no bus are both absent`() async throws {
    let manager = try LoginManagerStandIn(isPresent: false)
    let unanswered = await #expect(throws: DeviceError.self) {
      try await LogindPower(busAddress: manager.address).powerOff()
    }
    #expect(unanswered?.code == .absent)
    manager.end()
    let gone = await #expect(throws: DeviceError.self) {
      try await LogindPower(busAddress: "unix:path=/nonexistent/bus").powerOff()
    }
    #expect(gone?.code == .absent)
    #expect(gone?.problem == "cannot be asked over D-Bus")
  }
}
