import Devices
import Logging
import SimulatedDevices
import TestSupport
import Testing

@testable import Service

@Suite struct HeatReaderTests {
  /// A board whose kernel reports undervoltage and has no throttle flags.
  private struct UndervoltageAlarm: ThrottleSensor {
    let name = "firmware"

    func status() async throws(DeviceError) -> ThrottleStatus {
      ThrottleStatus(now: .undervoltage, hasFlags: false)
    }
  }

  @Test func `a board without throttle flags is warned of once and still tells undervoltage`()
    async
  {
    let clock = ManualClock()
    let log = RecordedLog()
    var reader = HeatReader(
      sensors: [], throttle: UndervoltageAlarm(), clock: clock, logger: log.logger)
    for _ in 0..<3 {
      let round = await reader.read()
      #expect(round.flags == .undervoltage)
      #expect(round.throttle?.hasFlags == false)
    }
    #expect(log.count("warning: the firmware's throttle flags are nowhere") == 1)
    let warning = log.lines.first { $0.level == .warning }
    #expect(warning?.metadata == ["sensor": "firmware"])
  }

  /// A board whose kernel has throttle flags that are no flags.
  private struct BrokenFlags: ThrottleSensor {
    let name = "firmware"

    func status() async throws(DeviceError) -> ThrottleStatus {
      throw DeviceError(.implausible, device: name, problem: "gave no throttle flags")
    }
  }

  @Test func `flags that cannot be read are a problem and not absent`() async {
    let log = RecordedLog()
    var reader = HeatReader(
      sensors: [], throttle: BrokenFlags(), clock: ManualClock(), logger: log.logger)
    for _ in 0..<3 {
      let round = await reader.read()
      #expect(round.throttle == nil)
      #expect(round.throttleProblem == "\"firmware\" gave no throttle flags")
    }
    #expect(log.count("the throttle flags cannot be read") == 1)
  }

  @Test func `a board with throttle flags is not warned of`() async {
    let clock = ManualClock()
    let log = RecordedLog()
    let world = SimulatedWorld(clock: clock)
    world.throttle(.throttled)
    var reader = HeatReader(
      sensors: [], throttle: SimulatedThrottleSensor(world: world), clock: clock,
      logger: log.logger)
    let round = await reader.read()
    #expect(round.flags == .throttled && round.throttle?.hasFlags == true)
    #expect(round.throttleProblem == nil)
    #expect(log.lines.isEmpty)
  }
}
