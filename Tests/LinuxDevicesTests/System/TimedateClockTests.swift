import Devices
import TestSupport
import Testing

@testable import LinuxDevices

/// systemd's time service, which is asked if the kernel may not be.
@Suite(.timeLimit(.minutes(10))) struct TimedateClockTests {
  @Test(arguments: [true, false]) func `the state is known after the service's answer`(_ flag: Bool)
    throws
  {
    let service = try LoginManagerStandIn(.property(flag))
    defer { service.end() }
    let manual = ManualClock()
    let clock = TimedateClock(busAddress: service.address, clock: manual)
    #expect(clock.isSynchronized == nil)
    clock.settle()
    #expect(clock.isSynchronized == flag)
    clock.settle()
    #expect(service.requests.map(\.method) == ["Get"])
    manual.advance(by: TimedateClock.interval)
    #expect(clock.isSynchronized == flag)
    clock.settle()
    #expect(service.requests.map(\.method) == ["Get", "Get"])
  }

  @Test func `the state of an unavailable service is unknown`() throws {
    let service = try LoginManagerStandIn(isPresent: false)
    let manual = ManualClock()
    let clock = TimedateClock(busAddress: service.address, clock: manual)
    for _ in 0..<2 {
      #expect(clock.isSynchronized == nil)
      clock.settle()
      manual.advance(by: TimedateClock.interval)
    }
    service.end()
    #expect(clock.isSynchronized == nil)
    clock.settle()
    #expect(clock.isSynchronized == nil)
  }
}
