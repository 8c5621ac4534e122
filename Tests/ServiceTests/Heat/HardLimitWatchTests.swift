import Devices
import RigConfiguration
import SimulatedDevices
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct HardLimitWatchTests {
  private let bench = ServiceBench()
  private let ending = SystemEnding()
  private let section = ThermalSection()

  private func watch() -> HardLimitWatch {
    HardLimitWatch(
      sensors: [SimulatedTemperatureSensor(world: bench.world)], section: section, ending: ending,
      clock: bench.clock, logger: bench.log.logger)
  }

  /// Lets seconds pass; the temperature is read once in each.
  private func pass(_ seconds: Int) async {
    for _ in 0..<seconds {
      await rest()
      bench.clock.advance(by: section.interval)
    }
  }

  /// Waits until the watch sleeps.
  private func rest() async {
    await bench.clock.untilNextDeadline(is: bench.clock.now.advanced(by: section.interval))
  }

  @Test func `a rig that is too hot for ten seconds is powered off`() async {
    let watch = watch()
    bench.world.heat(to: 95)
    let watching = Task { await watch.watch() }
    await pass(9)
    #expect(ending.request == nil)
    await pass(1)
    await watching.value
    #expect(ending.request == .powerOff)
    #expect(bench.log.count("critical: too hot to go on, switching off") == 1)
  }

  @Test func `the time goes on when the spool cannot be opened`() async {
    let watch = watch()
    bench.world.heat(to: 95)
    let watching = Task { await watch.watch() }
    await pass(6)
    watching.cancel()
    await watching.value
    let afterwards = Task { await watch.watchWhileAtLimit() }
    await pass(4)
    await afterwards.value
    #expect(ending.request == .powerOff)
  }

  @Test func `a cool rig is not watched afterwards`() async {
    bench.world.heat(to: 89)
    await watch().watchWhileAtLimit()
    #expect(ending.request == nil)
  }

  @Test func `a rig that cools down is not powered off`() async {
    let watch = watch()
    bench.world.heat(to: 95)
    let watching = Task { await watch.watchWhileAtLimit() }
    await pass(5)
    await rest()
    bench.world.heat(to: 80)
    await pass(1)
    await watching.value
    #expect(ending.request == nil)
  }

  @Test func `an unreadable zone ends the watch soon`() async {
    let watch = watch()
    bench.world.heat(to: 95)
    let watching = Task { await watch.watchWhileAtLimit() }
    await pass(3)
    bench.world.setTemperatureFault(.inputOutput)
    await pass(10)
    await watching.value
    #expect(ending.request == nil)
  }
}
