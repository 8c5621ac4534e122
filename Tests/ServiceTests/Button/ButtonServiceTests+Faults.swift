import Capture
import Devices
import RigConfiguration
import TestSupport
import Testing

@testable import Service

/// Faults of buttons and lines, and the presses that the faults leave undecided.
extension ButtonServiceTests {
  @Test func `a button that is held at the start is a fault and no press`() async throws {
    await shutter.hold()
    try await bench.whileRunning(service(shutter: [.single: .shoot])) {
      #expect(await done.next() == "fault buttonHeldAtStart shutter")
      await shutter.send(.edge(LineEdge(kind: .deactivated, time: instant(500))))
      await seen(shutter)
      pass(until: 1000)
      #expect(await done.next() == "end buttonHeldAtStart shutter")
      await press(shutter, 1500)
      #expect(await done.next() == "shoot single shutter \(at(1500))")
    }
  }

  @Test func `a stuck button is a fault until it is released`() async throws {
    try await bench.whileRunning(service(shutter: [.single: .shoot])) {
      await watched(shutter)
      await shutter.send(.edge(LineEdge(kind: .activated, time: instant(100))))
      #expect(await done.next() == "shoot single shutter \(at(100))")
      await seen(shutter)
      pass(until: 31_000)
      #expect(await done.next() == "fault buttonStuck shutter")
      await shutter.send(.edge(LineEdge(kind: .deactivated, time: instant(32_000))))
      await seen(shutter, at: 31_000)
      pass(until: 33_000)
      #expect(await done.next() == "end buttonStuck shutter")
    }
  }

  @Test func `a storm of edges is one picture and a fault`() async throws {
    try await bench.whileRunning(service(shutter: [.single: .shoot])) {
      await watched(shutter)
      for index in 0..<1000 {
        let kind: LineEdge.Kind = index.isMultiple(of: 2) ? .activated : .deactivated
        let time = instant(100).advanced(by: .microseconds(index * 100))
        await shutter.send(.edge(LineEdge(kind: kind, time: time)))
      }
      #expect(await done.next() == "shoot single shutter \(at(100))")
      #expect(await done.next() == "fault buttonChattering shutter")
      // The loss is reported after all edges, so the clock may go on.
      await shutter.send(.lostEdges(count: 1))
      #expect(await done.next() == "lost 1 shutter \(at(0))")
      pass(until: 2000)
      #expect(await done.next() == "end buttonChattering shutter")
    }
    #expect(await done.count == 4)
  }

  @Test func `lost edges are counted with their time`() async throws {
    try await bench.whileRunning(service(shutter: [.single: .shoot])) {
      await watched(shutter)
      await shutter.send(.lostEdges(count: 7))
      #expect(await done.next() == "lost 7 shutter \(at(0))")
    }
  }

  @Test func `an unreadable line is retried`() async throws {
    await shutter.fail(2)
    try await bench.whileRunning(service(shutter: [.single: .shoot])) {
      for _ in 0..<2 {
        await bench.clock.untilSleepers(1)
        bench.clock.advance(by: .seconds(1))
      }
      await watched(shutter)
      #expect(await done.next() == "fault buttonUnreadable shutter")
      #expect(await done.next() == "end buttonUnreadable shutter")
      await press(shutter, 3000)
      #expect(await done.next() == "shoot single shutter \(at(3000))")
    }
    #expect(await shutter.attempts == 3)
    #expect(bench.log.count("a button cannot be read, trying again") == 1, "the same failure once")
  }

  @Test func `a failing line withdraws an undecided press`() async throws {
    try await bench.whileRunning(service(shutter: all)) {
      await watched(shutter)
      await shutter.send(.edge(LineEdge(kind: .activated, time: instant(100))))
      #expect(await done.next() == "anticipate shutter \(at(100))")
      await shutter.send(
        .failed(DeviceError(.absent, device: "SHUTTER", problem: "can no longer be read")))
      #expect(await done.next() == "withdraw shutter \(at(100))")
      #expect(await done.next() == "fault buttonUnreadable shutter")
    }
  }

  @Test func `an undecided press is withdrawn at the end`() async throws {
    try await bench.whileRunning(service(shutter: all)) {
      await watched(shutter)
      await shutter.send(.edge(LineEdge(kind: .activated, time: instant(100))))
      #expect(await done.next() == "anticipate shutter \(at(100))")
    }
    #expect(await done.next() == "withdraw shutter \(at(100))")
    #expect(await done.count == 2)
  }
}
