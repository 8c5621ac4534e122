import Devices
import TestSupport
import Testing

@testable import SimulatedDevices

@Suite struct SimulatedIndicatorTests {
  private let clock = ManualClock()
  private let world: SimulatedWorld
  private let indicator: SimulatedIndicator

  init() {
    world = SimulatedWorld(clock: clock)
    indicator = SimulatedIndicator(world: world, role: .ready)
  }

  @Test func `each pattern is recorded with its time`() async throws {
    let start = clock.now
    try await indicator.show(.on)
    clock.advance(by: .seconds(1))
    try await indicator.show(.on)
    #expect(world.indicatorStates == [.ready: IndicatorState(pattern: .on, since: start)])
    try await indicator.show(.flashes(2))
    await indicator.release()
    #expect(world.indicatorHistory(.ready).map(\.pattern) == [.on, .flashes(2), .off])
    #expect(world.indicatorHistory(.fault).isEmpty)
  }

  @Test(arguments: [(0, 1.0), (99, 1), (100, 0), (399, 0), (400, 1), (4050, 1), (4150, 0), (-5, 1)])
  func `the level follows the pattern`(milliseconds: Int, level: Double) {
    let state = IndicatorState(
      pattern: .blink(on: .milliseconds(100), off: .milliseconds(300)), since: clock.now)
    #expect(state.level(at: clock.now.advanced(by: .milliseconds(milliseconds))) == level)
  }

  @Test func `steady lights are steady`() {
    for (pattern, level) in [(IndicatorPattern.on, 1.0), (.off, 0)] {
      let state = IndicatorState(pattern: pattern, since: clock.now)
      #expect(state.level(at: clock.now.advanced(by: .seconds(1000))) == level)
    }
  }

  @Test(arguments: IndicatorFault.allCases) func `faults are thrown and leave the light unchanged`(
    fault: IndicatorFault
  ) async throws {
    try await indicator.show(.on)
    world.setIndicatorFault(fault, role: .ready)
    let error = await #expect(throws: DeviceError.self) { try await indicator.show(.off) }
    #expect(error?.code.rawValue == fault.rawValue)
    #expect(world.indicatorStates[.ready]?.pattern == .on)
    try await SimulatedIndicator(world: world, role: .fault).show(.on)
    world.setIndicatorFault(nil, role: .ready)
    try await indicator.show(.off)
    #expect(world.indicatorStates[.ready]?.pattern == .off)
  }
}
