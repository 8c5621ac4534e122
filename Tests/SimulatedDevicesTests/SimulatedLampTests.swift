import Devices
import TestSupport
import Testing

@testable import SimulatedDevices

@Suite struct SimulatedLampTests {
  @Test func `the world knows when the lamp was lit`() async throws {
    let clock = ManualClock()
    let world = SimulatedWorld(clock: clock)
    let lamp = try #require(SimulatedBoard.make(world: world).lamp)
    #expect(!world.isLampOn)
    try await lamp.turn(on: true)
    let lit = clock.now
    clock.advance(by: .milliseconds(300))
    try await lamp.turn(on: true)
    await lamp.release()
    #expect(
      world.lampHistory
        == [LampState(lit: ["rig:lamp"], since: lit), LampState(lit: [], since: clock.now)])
    await lamp.release()
    #expect(world.lampHistory.count == 2)
  }

  @Test(arguments: [(LampFault.absent, DeviceError.Code.absent), (.inputOutput, .inputOutput)])
  func `a broken lamp throws its fault`(fault: LampFault, code: DeviceError.Code) async throws {
    let world = SimulatedWorld(clock: ManualClock())
    let lamp = SimulatedLamp(world: world)
    world.setLampFault(fault)
    let error = await #expect(throws: DeviceError.self) { try await lamp.turn(on: true) }
    #expect(error?.code == code)
    #expect(!world.isLampOn)
    world.setLampFault(nil)
    try await lamp.turn(on: true)
    #expect(world.isLampOn)
  }

  @Test func `a lamp that stays lit can be turned on alone`() async throws {
    let world = SimulatedWorld(clock: ManualClock())
    let lamp = SimulatedLamp(world: world)
    world.setLampFault(.staysLit)
    try await lamp.turn(on: true)
    let error = await #expect(throws: DeviceError.self) { try await lamp.turn(on: false) }
    #expect(error?.code == .inputOutput)
    #expect(world.isLampOn)
  }
}
