import Devices
import TestSupport
import Testing

@testable import SimulatedDevices

@Suite struct SimulatedWorldTests {
  private let clock = ManualClock()
  private let world: SimulatedWorld

  init() { world = SimulatedWorld(clock: clock) }

  @Test func `past scenes are remembered`() {
    let start = clock.now
    clock.advance(by: .seconds(1))
    world.turn(to: .clockwise90)
    clock.advance(by: .seconds(1))
    world.showPage(7)
    world.tilt(to: .lensDown)
    #expect(world.scene(at: start.advanced(by: .milliseconds(-1))) == SceneState())
    #expect(world.scene(at: start.advanced(by: .milliseconds(999))) == SceneState())
    let turned = world.scene(at: start.advanced(by: .milliseconds(1500)))
    #expect(turned == SceneState(position: RigPosition(degrees: 90), page: 1))
    let latest = world.scene(at: clock.now)
    #expect(latest.page == 7)
    #expect(latest.position == RigPosition(degrees: 90, attitude: .lensDown))
    #expect(world.position.quarterTurn == .clockwise90)
    world.turn(to: 10)
    #expect(world.position == RigPosition(degrees: 10))
  }

  @Test func `snapshots follow the world`() async {
    var snapshots = world.snapshots().makeAsyncIterator()
    #expect(await snapshots.next(isolation: nil)?.page == 1)
    world.showPage(3)
    world.hold()
    world.inject(.stalled)
    var last: SimulatedWorld.Snapshot?
    repeat { last = await snapshots.next(isolation: nil) } while last?.cameraFaults.isEmpty == true
    #expect(last?.page == 3)
    #expect(last?.isButtonDown == true)
    #expect(last?.cameraFaults.values.first == [.stalled])
  }

  @Test func `a board has every device`() async throws {
    let board = SimulatedBoard.make(world: world)
    #expect(try await board.cameras.cameras().count == 1)
    #expect(board.buttons.mapValues(\.name) == ["shutter": "SHUTTER"])
    #expect(board.accelerometer?.name == "lis3dh")
    #expect(Set(board.indicators.keys) == Set(IndicatorRole.allCases))
    #expect(board.temperatureSensors.count == 1)
  }

  @Test func `a wait ends with a change, an instant or a cancellation`() async {
    let signal = ChangeSignal()
    signal.raise()
    await signal.wait(until: nil, since: 0, on: clock)
    let byChange = Task { await signal.wait(until: nil, since: 1, on: clock) }
    signal.raise()
    await byChange.value
    let byTime = Task {
      await signal.wait(until: clock.now.advanced(by: .seconds(1)), since: 2, on: clock)
    }
    await clock.untilSleepers(1)
    clock.advance(by: .seconds(1))
    await byTime.value
    let cancelled = Task { await signal.wait(until: nil, since: 2, on: clock) }
    cancelled.cancel()
    await cancelled.value
  }
}
