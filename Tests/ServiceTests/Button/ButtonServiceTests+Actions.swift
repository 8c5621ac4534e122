import Capture
import Devices
import RigConfiguration
import TestSupport
import Testing

@testable import Service

/// Actions that last, and the presses that come meanwhile.
extension ButtonServiceTests {
  @Test(arguments: [ButtonAction.focus, .switchCamera])
  func `a slow action delays no press`(_ action: ButtonAction) async throws {
    let held = await done.hold(action)
    let pedal = [Gesture.single: action]
    try await bench.whileRunning(service(shutter: [.single: .shoot], pedal: pedal)) {
      await watched(shutter, self.pedal)
      await press(self.pedal, 100)
      #expect(await done.next() == "\(action) pedal")
      await press(shutter, 200)
      #expect(await done.next() == "shoot single shutter \(at(200))")
      await press(self.pedal, 1000)
      await press(shutter, 2000)
      #expect(await done.next() == "shoot single shutter \(at(2000))", "no second one at once")
      // Each button has a task of its own: the pedal's may come later.
      let refusal = "warning: a button asks for what is being done already"
      try await eventually { bench.log.count(refusal) != 0 }
      #expect(bench.log.count(refusal) == 1)
      held.finish()
      await done.untilReturned()
      // The service learns of the action's return a moment later; an earlier press is refused.
      var refusals = 1
      while await done.count < 4 {
        await press(self.pedal, 2000 + 1000 * refusals)
        try await eventually { await done.count >= 4 || bench.log.count(refusal) != refusals }
        if await done.count < 4 { refusals += 1 }
      }
      #expect(await done.next() == "\(action) pedal", "the first one has ended")
      #expect(bench.log.count(refusal) == refusals)
    }
    #expect(await done.count == 4)
  }

  /// A press waits for its number for as long as the disk hangs.
  @Test func `a waiting press delays only other presses`() async throws {
    let held = await done.hold(.shoot)
    let service = service(shutter: [.single: .shoot], pedal: [.hold: .powerOff])
    try await bench.whileRunning(service) {
      await watched(shutter, pedal)
      await press(shutter, 100)
      #expect(await done.next() == "shoot single shutter \(at(100))")
      await press(shutter, 1100)
      await seen(shutter)
      await press(pedal, 2000, for: 3500)
      await pedal.send(.lostEdges(count: 1))
      #expect(await done.next() == "lost 1 pedal \(at(0))")
      pass(until: 6000)
      #expect(await done.next() == "armed 3610000 pedal")
      pass(until: 10_100)
      #expect(await done.next() == "powerOff pedal")
      #expect(await done.count == 5, "the second picture waits for the first")
      held.finish()
      #expect(await done.next() == "shoot single shutter \(at(1100))")
    }
    #expect(await done.count == 6)
  }

  @Test func `a recording gets the time and the gesture of its push, and pictures go on`()
    async throws
  {
    let held = await done.hold(.record)
    let service = service(shutter: [.single: .shoot], pedal: [.single: .record])
    try await bench.whileRunning(service) {
      await watched(shutter, pedal)
      await press(pedal, 100)
      #expect(await done.next() == "record single pedal \(at(100))")
      await press(shutter, 1000)
      #expect(await done.next() == "shoot single shutter \(at(1000))")
      held.finish()
    }
  }

  @Test func `pausing the uploads toggles`() async throws {
    try await bench.whileRunning(service(shutter: [.single: .pauseUploads])) {
      await watched(shutter)
      await press(shutter, 100)
      #expect(await done.next() == "pause shutter")
      await press(shutter, 1000)
      #expect(await done.next() == "resume shutter")
    }
  }
}
