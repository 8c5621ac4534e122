import Capture
import Devices
import RigConfiguration
import TestSupport
import Testing

@testable import Service

/// The way from the edges of lines to the actions.
///
/// The test moves the clock. Decisions depend on the edges' times alone, so the moment at which the
/// service sees the edges does not matter.
@Suite(.timeLimit(.minutes(10))) struct ButtonServiceTests {
  let bench = ServiceBench()
  let done = RecordedActions()
  let shutter = ScriptedLine()
  let pedal = ScriptedLine()

  let all: [Gesture: ButtonAction] = [
    .single: .shoot, .double: .retake, .long: .focus, .hold: .powerOff,
  ]

  func service(
    shutter actions: [Gesture: ButtonAction], pedal others: [Gesture: ButtonAction]? = nil
  ) -> ButtonService {
    func button(
      _ name: String, _ line: ScriptedLine, _ actions: [Gesture: ButtonAction]
    ) -> ButtonService.Button {
      var section = ButtonSection()
      section.button.name = name
      section.button.shortestPress = .zero
      section.button.gestures.bound = Set(actions.keys)
      section.actions = actions
      return ButtonService.Button(section: section, line: line)
    }
    var buttons = [button("shutter", shutter, actions)]
    if let others { buttons.append(button("pedal", pedal, others)) }
    return ButtonService(
      buttons: buttons, actions: done, clock: bench.clock, logger: bench.log.logger)
  }

  /// Returns an instant by its distance from the start of the test.
  func instant(_ milliseconds: Int) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: 3_600_000_000_000).advanced(by: .milliseconds(milliseconds))
  }

  func at(_ milliseconds: Int) -> String { "@\(3_600_000 + milliseconds)" }

  /// Sends a push and a release, both with bounce.
  func press(_ line: ScriptedLine, _ milliseconds: Int, for duration: Int = 80) async {
    for start in [milliseconds, milliseconds + duration] {
      let kinds: [LineEdge.Kind] =
        start == milliseconds ? [.activated, .deactivated] : [.deactivated, .activated]
      for index in 0..<5 {
        await line.send(.edge(LineEdge(kind: kinds[index % 2], time: instant(start + index))))
      }
    }
  }

  func pass(until milliseconds: Int) { bench.clock.advance(to: instant(milliseconds)) }

  func watched(_ lines: ScriptedLine...) async {
    for line in lines { for await isWatched in line.watches where isWatched { break } }
  }

  /// Waits until the service has seen all edges, so that the clock may go on.
  func seen(_ line: ScriptedLine, at now: Int = 0) async {
    await line.send(.lostEdges(count: 1))
    let told = await done.next()
    #expect(told == "lost 1 shutter \(at(now))")
  }

  @Test func `a plain press acts at its first edge`() async throws {
    try await bench.whileRunning(service(shutter: [.single: .shoot])) {
      await watched(shutter)
      await press(shutter, 100)
      #expect(await done.next() == "shoot single shutter \(at(100))")
      await press(shutter, 1100)
      #expect(await done.next() == "shoot single shutter \(at(1100))")
    }
    #expect(await done.count == 2)
    #expect(await shutter.releases == 1, "the line is given back")
  }

  @Test func `a press is a single when no other gesture is possible any more`() async throws {
    try await bench.whileRunning(service(shutter: all)) {
      await watched(shutter)
      await press(shutter, 100)
      #expect(await done.next() == "anticipate shutter \(at(100))")
      await seen(shutter)
      pass(until: 1000)
      #expect(await done.next() == "shoot single shutter \(at(100))")
    }
    #expect(await done.count == 3)
  }

  @Test func `two presses are a double`() async throws {
    try await bench.whileRunning(service(shutter: all)) {
      await watched(shutter)
      await press(shutter, 100)
      await press(shutter, 350)
      #expect(await done.next() == "anticipate shutter \(at(100))")
      #expect(await done.next() == "retake double shutter \(at(100))")
    }
    #expect(await done.count == 2)
  }

  @Test func `two presses may be a bracket`() async throws {
    try await bench.whileRunning(service(shutter: [.single: .shoot, .double: .bracket])) {
      await watched(shutter)
      await press(shutter, 100)
      await press(shutter, 350)
      #expect(await done.next() == "anticipate shutter \(at(100))")
      #expect(await done.next() == "bracket double shutter \(at(100))")
    }
    #expect(await done.count == 2)
  }

  @Test func `a long press releases its frame`() async throws {
    try await bench.whileRunning(service(shutter: all)) {
      await watched(shutter)
      await press(shutter, 100, for: 1200)
      #expect(await done.next() == "anticipate shutter \(at(100))")
      await seen(shutter)
      pass(until: 2000)
      #expect(await done.next() == "withdraw shutter \(at(100))")
      #expect(await done.next() == "focus shutter")
    }
    #expect(await done.count == 4)
  }

  @Test func `a hold turns the power off after its window`() async throws {
    try await bench.whileRunning(service(shutter: all)) {
      await watched(shutter)
      await press(shutter, 0, for: 3500)
      #expect(await done.next() == "anticipate shutter \(at(0))")
      await seen(shutter)
      pass(until: 4000)
      #expect(await done.next() == "withdraw shutter \(at(0))")
      #expect(await done.next() == "armed 3608000 shutter")
      pass(until: 8100)
      #expect(await done.next() == "powerOff shutter")
    }
    #expect(await done.count == 5)
  }

  @Test func `any button cancels the power off`() async throws {
    let service = service(shutter: [.hold: .powerOff], pedal: [.single: .shoot])
    try await bench.whileRunning(service) {
      await watched(shutter, pedal)
      await press(shutter, 0, for: 3500)
      await seen(shutter)
      pass(until: 4000)
      #expect(await done.next() == "armed 3608000 shutter", "no picture is anticipated")
      await press(pedal, 5000)
      #expect(await done.next() == "called off shutter")
      pass(until: 9000)
      await press(pedal, 9500)
      #expect(await done.next() == "shoot single pedal \(at(9500))")
    }
    #expect(await done.count == 4, "the press that called it off means nothing else")
  }

  @Test func `a button under test triggers only presses`() async throws {
    var service = service(shutter: all)
    let observer = ButtonObserver()
    service.observer = observer
    try await bench.whileRunning(service) {
      await watched(shutter)
      let events = observer.beginTest("shutter", at: instant(0))
      await press(shutter, 0, for: 3500)
      #expect(await done.next() == "anticipate shutter \(at(0))")
      await seen(shutter)
      pass(until: 9000)
      #expect(await done.next() == "withdraw shutter \(at(0))", "neither armed nor switched off")
      await press(shutter, 9100)
      await press(shutter, 9300)
      #expect(await done.next() == "anticipate shutter \(at(9100))")
      #expect(await done.next() == "retake double shutter \(at(9100))", "the session refuses it")
      var gestures: [Gesture] = []
      for await case .told(.gesture(let gesture, _)) in events {
        gestures.append(gesture)
        if gestures.count == 2 { break }
      }
      #expect(gestures == [.hold, .double])
      observer.endTest(at: instant(10_000))
      await press(shutter, 11_000, for: 1200)
      #expect(await done.next() == "anticipate shutter \(at(11_000))")
      await seen(shutter, at: 9000)
      pass(until: 13_000)
      #expect(await done.next() == "withdraw shutter \(at(11_000))")
      #expect(await done.next() == "focus shutter", "the test is over")
    }
  }
}
