import Capture
import Devices
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Service

/// The effects of the buttons' actions on the session, the monitor and the power.
///
/// The session here refuses every press.
@Suite(.timeLimit(.minutes(10))) struct RigActionsTests {
  private let bench = ServiceBench()
  private let shutdowns = Counter()

  private func actions(canPowerOff: Bool = false) -> RigActions {
    var actions = RigActions(
      session: bench.session, monitor: bench.monitor, logger: bench.log.logger)
    if canPowerOff { actions.powerOffMachine = { shutdowns.add() } }
    return actions
  }

  @Test func `a shot is a press of the session with the time of the push`() async throws {
    let events = bench.session.events.listen()
    let time = MonotonicInstant(nanoseconds: 5_000_000_000)
    await actions().shoot(at: time, gesture: .single, button: "pedal")
    for await case .press(let record) in events {
      #expect(record.press.time == time)
      #expect(record.press.source == .button)
      break
    }
    #expect(bench.log.count("shutter pressed") == 1)
  }

  @Test func `a press without a number is logged and the next one counts`() async throws {
    bench.failingReservations.set(1)
    await actions().shoot(at: bench.clock.now, gesture: .single, button: "shutter")
    await actions().shoot(at: bench.clock.now, gesture: .single, button: "shutter")
    #expect(await bench.session.pressCounts.refused == 2)
    #expect(bench.log.count("critical: a press got no number and no picture") == 1)
  }

  @Test func `an action that the rig cannot do is refused visibly`() async {
    let actions = actions()
    await actions.focus(button: "shutter")
    await actions.switchCamera(button: "shutter")
    await actions.setPowerOffArmed(until: bench.clock.now, button: "shutter")
    await actions.powerOff(button: "shutter")
    await actions.record(at: bench.clock.now, gesture: .long, button: "shutter")
    #expect(bench.log.count("warning: the focus stays") == 1)
    #expect(bench.log.count("warning: the camera stays") == 1)
    #expect(bench.log.count("error: not available on this rig") == 2)
    #expect(await bench.monitor.snapshot.powerOffArmedUntil == nil)
    #expect(shutdowns.count == 0)
    #expect(await bench.session.pressCounts.refused == 0)
  }

  @Test func `a retake is a press with its gesture`() async {
    let events = bench.session.events.listen()
    await actions().retake(at: bench.clock.now, gesture: .double, button: "shutter")
    for await case .press(let record) in events {
      #expect(record.press.gesture == .double)
      #expect(record.press.button == "shutter")
      break
    }
  }

  @Test func `a power off shuts the service down and stays shown`() async {
    let actions = actions(canPowerOff: true)
    await actions.setPowerOffArmed(until: bench.clock.now, button: "shutter")
    #expect(await bench.monitor.snapshot.powerOffArmedUntil == bench.clock.now)
    await actions.powerOff(button: "shutter")
    #expect(shutdowns.count == 1)
    #expect(await bench.monitor.snapshot.powerOffArmedUntil != nil, "shown until the end")
  }

  @Test func `faults and pauses go to the monitor`() async {
    let actions = actions()
    await actions.beginFault(.buttonStuck, button: "pedal")
    await actions.beginFault(.buttonStuck, button: "shutter")
    #expect(
      await bench.monitor.snapshot.faults == [
        .init(reason: .buttonStuck, part: "pedal"), .init(reason: .buttonStuck, part: "shutter"),
      ])
    await actions.endFault(.buttonStuck, button: "pedal")
    #expect(await bench.monitor.snapshot.faults.map(\.part) == ["shutter"])
    await actions.loseEdges(3, at: bench.clock.now, button: "pedal")
    await actions.loseEdges(4, at: bench.clock.now, button: "pedal")
    #expect(await bench.monitor.snapshot.lostEdges == ["pedal": 7])
    await actions.setUploadsPaused(true, button: "pedal")
    #expect(await actions.areUploadsPaused)
    #expect(await bench.monitor.snapshot.upload == .paused)
  }
}

/// A count that may be raised from any task.
private final class Counter: Sendable {
  private let value = Mutex(0)

  var count: Int { value.withLock { $0 } }
  func add() { value.withLock { $0 += 1 } }
}
