import Capture
import Devices
import SimulatedDevices
import TestSupport
import Testing

@testable import Platen

/// The way from the edges of lines to the actions.
///
/// The test moves the clock. Decisions depend on the edges' times alone, so the moment at which the
/// service sees the edges does not matter.
@Suite(.timeLimit(.minutes(10))) struct ButtonServiceTests {
  private let bench = ServiceBench()
  private let done = RecordedActions()
  private let shutter = ScriptedLine()
  private let pedal = ScriptedLine()

  private let all: [Gesture: ButtonAction] = [
    .single: .shoot, .double: .retake, .long: .focus, .hold: .powerOff,
  ]

  private func service(
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
  private func instant(_ milliseconds: Int) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: 3_600_000_000_000).advanced(by: .milliseconds(milliseconds))
  }

  private func at(_ milliseconds: Int) -> String { "@\(3_600_000 + milliseconds)" }

  /// Sends a push and a release, both with bounce.
  private func press(_ line: ScriptedLine, _ milliseconds: Int, for duration: Int = 80) async {
    for start in [milliseconds, milliseconds + duration] {
      let kinds: [LineEdge.Kind] =
        start == milliseconds ? [.activated, .deactivated] : [.deactivated, .activated]
      for index in 0..<5 {
        await line.send(.edge(LineEdge(kind: kinds[index % 2], time: instant(start + index))))
      }
    }
  }

  private func pass(until milliseconds: Int) { bench.clock.advance(to: instant(milliseconds)) }

  private func watched(_ lines: ScriptedLine...) async {
    for line in lines { for await isWatched in line.watches where isWatched { break } }
  }

  /// Waits until the service has seen all edges, so that the clock may go on.
  private func seen(_ line: ScriptedLine, at now: Int = 0) async {
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

  @Test func `a button under test triggers only presses`() async throws {
    var service = service(shutter: all)
    let witness = ButtonWitness()
    service.witness = witness
    try await bench.whileRunning(service) {
      await watched(shutter)
      let events = witness.beginTest("shutter", at: instant(0))
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
      witness.endTest(at: instant(10_000))
      await press(shutter, 11_000, for: 1200)
      #expect(await done.next() == "anticipate shutter \(at(11_000))")
      await seen(shutter, at: 9000)
      pass(until: 13_000)
      #expect(await done.next() == "withdraw shutter \(at(11_000))")
      #expect(await done.next() == "focus shutter", "the test is over")
    }
  }

  @Test func `lost edges are counted with their time`() async throws {
    try await bench.whileRunning(service(shutter: [.single: .shoot])) {
      await watched(shutter)
      await shutter.send(.lostEdges(count: 7))
      #expect(await done.next() == "lost 7 shutter \(at(0))")
    }
  }

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
      while await done.count < 4, !Task.isCancelled {
        await press(self.pedal, 2000 + 1000 * refusals)
        while await done.count < 4, bench.log.count(refusal) == refusals, !Task.isCancelled {
          await Task.yield()
        }
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

  @Test func `pausing the uploads toggles`() async throws {
    try await bench.whileRunning(service(shutter: [.single: .pauseUploads])) {
      await watched(shutter)
      await press(shutter, 100)
      #expect(await done.next() == "pause shutter")
      await press(shutter, 1000)
      #expect(await done.next() == "resume shutter")
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

/// A recorder of the requested actions, one line each.
actor RecordedActions: ButtonActions {
  private nonisolated let lines: AsyncStream<String>
  private nonisolated let report: AsyncStream<String>.Continuation
  private var isPaused = false
  /// The number of actions so far.
  private(set) var count = 0
  private var held: (action: ButtonAction, stream: AsyncStream<Void>)?
  private nonisolated let returns: AsyncStream<Void>
  private nonisolated let reportReturn: AsyncStream<Void>.Continuation

  init() {
    (lines, report) = AsyncStream.makeStream()
    (returns, reportReturn) = AsyncStream.makeStream()
  }

  /// Holds an action until the returned continuation is finished.
  func hold(_ action: ButtonAction) -> AsyncStream<Void>.Continuation {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    held = (action, stream)
    return continuation
  }

  /// Waits until a held action has returned.
  nonisolated func untilReturned() async {
    await returns.first { true }
  }

  private func last(_ action: ButtonAction) async {
    guard let held, held.action == action else { return }
    for await _ in held.stream {}
    reportReturn.yield()
  }

  /// Waits for the next action and returns its line.
  nonisolated func next() async -> String? {
    await lines.first { _ in true }
  }

  private func note(_ line: String) {
    count += 1
    report.yield(line)
  }

  private func at(_ time: MonotonicInstant) -> String { "@\(time.nanoseconds / 1_000_000)" }

  func shoot(at time: MonotonicInstant, gesture: Gesture, button: String) async {
    note("shoot \(gesture.rawValue) \(button) \(at(time))")
    await last(.shoot)
  }
  func retake(at time: MonotonicInstant, gesture: Gesture, button: String) async {
    note("retake \(gesture.rawValue) \(button) \(at(time))")
  }
  func anticipate(at time: MonotonicInstant, button: String) async {
    note("anticipate \(button) \(at(time))")
  }
  func withdraw(at time: MonotonicInstant, button: String) async {
    note("withdraw \(button) \(at(time))")
  }
  func focus(button: String) async {
    note("focus \(button)")
    await last(.focus)
  }
  func switchCamera(button: String) async {
    note("switchCamera \(button)")
    await last(.switchCamera)
  }
  var areUploadsPaused: Bool { isPaused }
  func setUploadsPaused(_ isPaused: Bool, button: String) async {
    self.isPaused = isPaused
    note("\(isPaused ? "pause" : "resume") \(button)")
  }
  func setPowerOffArmed(until instant: MonotonicInstant?, button: String) async {
    note(
      instant.map { "armed \($0.nanoseconds / 1_000_000) \(button)" } ?? "called off \(button)")
  }
  func powerOff(button: String) async { note("powerOff \(button)") }
  func beginFault(_ reason: InterruptionReason, button: String) async {
    note("fault \(reason) \(button)")
  }
  func endFault(_ reason: InterruptionReason, button: String) async {
    note("end \(reason) \(button)")
  }
  func noteSpikes(_ count: Int, button: String) async { note("spikes \(count) \(button)") }
  func loseEdges(_ count: Int, at time: MonotonicInstant, button: String) async {
    note("lost \(count) \(button) \(at(time))")
  }
}

/// A line with scripted edges and failures.
private actor ScriptedLine: ButtonLine {
  nonisolated let name = "SHUTTER"
  /// An element for each attempt to watch: whether it succeeded.
  nonisolated let watches: AsyncStream<Bool>
  private nonisolated let report: AsyncStream<Bool>.Continuation
  private(set) var attempts = 0
  private(set) var releases = 0
  private var failures = 0
  private var isHeld = false
  private var events: AsyncStream<ButtonLineEvent>.Continuation?

  init() { (watches, report) = AsyncStream.makeStream() }

  /// Holds the button down from the beginning of the next watch.
  func hold() { isHeld = true }

  /// Makes the next attempts fail.
  func fail(_ count: Int) { failures = count }

  func send(_ event: ButtonLineEvent) { events?.yield(event) }

  func watch() async throws(DeviceError) -> ButtonLineWatch {
    attempts += 1
    report.yield(failures == 0)
    if failures > 0 {
      failures -= 1
      throw DeviceError(.busy, device: name, problem: "cannot be taken")
    }
    let (stream, continuation) = AsyncStream.makeStream(of: ButtonLineEvent.self)
    events = continuation
    return ButtonLineWatch(isActiveAtStart: isHeld, events: stream)
  }

  func release() async {
    releases += 1
    events?.finish()
    events = nil
  }
}
