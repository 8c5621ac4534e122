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
    #expect(log.lines.isEmpty)
  }
}
