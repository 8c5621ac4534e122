import Devices
import SimulatedDevices
import TestSupport
import Testing

@Suite struct SimulatedButtonLineTests {
  private let clock = ManualClock()
  private let world: SimulatedWorld
  private let line: SimulatedButtonLine

  init() {
    world = SimulatedWorld(clock: clock)
    line = SimulatedButtonLine(world: world)
  }

  @Test func `edges come at their times with their timestamps`() async throws {
    let watch = try await line.watch()
    #expect(!watch.isActiveAtStart)
    var events = watch.events.makeAsyncIterator()
    let down = world.press(at: clock.now.advanced(by: .milliseconds(5)))
    #expect(down == clock.now.advanced(by: .milliseconds(5)))
    await clock.run(for: .milliseconds(5))
    let first = await events.next(isolation: nil)
    #expect(first == .edge(LineEdge(kind: .activated, time: down, lineSequence: 1)))
    #expect(world.isButtonDown)
    await clock.run(for: .milliseconds(79))
    #expect(world.isButtonDown)
    clock.advance(by: .milliseconds(1))
    let up = LineEdge(
      kind: .deactivated, time: down.advanced(by: .milliseconds(80)), lineSequence: 2)
    #expect(await events.next(isolation: nil) == .edge(up))
  }

  @Test func `a button held at the start is reported and makes no edge`() async throws {
    world.hold(bounce: .typical)
    clock.advance(by: .milliseconds(10))
    let watch = try await line.watch()
    #expect(watch.isActiveAtStart)
    let up = world.release()
    var events = watch.events.makeAsyncIterator()
    guard case .edge(let edge) = await events.next(isolation: nil) else {
      Issue.record("no edge")
      return
    }
    #expect(edge.kind == .deactivated)
    #expect(edge.time == up)
  }

  @Test func `edges that do not fit are counted as lost`() async throws {
    let watch = try await line.watch()
    world.storm(edges: 5000, over: .milliseconds(100))
    await clock.untilSleepers(1)
    clock.advance(by: .seconds(1))
    // The events are read only after the end of the watch, as by a reader that is far too slow.
    await line.release()
    var edges = 0
    var lost = 0
    for await event in watch.events {
      switch event {
      case .edge: edges += 1
      case .lostEdges(let count): lost += count
      case .failed: break
      }
    }
    #expect(edges <= 1024)
    // The report itself pushes out one edge more, which the next report would have counted.
    #expect((4999...5000).contains(edges + lost))
    #expect(lost > 0)
  }

  @Test func `scripted losses are reported`() async throws {
    let watch = try await line.watch()
    var events = watch.events.makeAsyncIterator()
    world.loseEdges(3)
    #expect(await events.next(isolation: nil) == .lostEdges(count: 3))
  }

  @Test func `a second watch ends the first`() async throws {
    let first = try await line.watch()
    let second = try await line.watch()
    for await _ in first.events { Issue.record("an event in the ended watch") }
    world.hold()
    var events = second.events.makeAsyncIterator()
    guard case .edge = await events.next(isolation: nil) else {
      Issue.record("no edge in the second watch")
      return
    }
  }

  @Test(arguments: ButtonFault.allCases) func `faults of the line are thrown`(fault: ButtonFault)
    async throws
  {
    world.setButtonFault(fault)
    let error = await #expect(throws: DeviceError.self) { try await line.watch() }
    #expect(error?.code.rawValue == fault.rawValue)
    world.setButtonFault(nil)
    _ = try await line.watch()
  }

  @Test func `a line that goes away ends its watch`() async throws {
    let watch = try await line.watch()
    world.setButtonFault(.absent)
    var events: [ButtonLineEvent] = []
    for await event in watch.events { events.append(event) }
    guard case .failed(let error) = events.last else {
      Issue.record("no failure in \(events)")
      return
    }
    #expect(events.count == 1)
    #expect(error.code == .absent)
  }
}
