import Capture
import Devices
import SimulatedDevices
import Testing

@testable import Platen

/// From edges of the line to presses of the session, which here refuses all of them.
@Suite(.timeLimit(.minutes(1))) struct ShutterServiceTests {
  private let bench = ServiceBench()
  private let line = ScriptedLine()

  private var service: ShutterService {
    ShutterService(
      line: line, debounce: .milliseconds(30), session: bench.session, clock: bench.clock,
      logger: bench.log.logger)
  }

  private func instant(_ milliseconds: Int) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: Int64(milliseconds) * 1_000_000)
  }

  private func send(_ kind: LineEdge.Kind, _ milliseconds: Int...) async {
    for millisecond in milliseconds {
      await line.send(.edge(LineEdge(kind: kind, time: instant(millisecond))))
    }
  }

  /// The times of the next presses that the session was given, in milliseconds.
  private func times(_ count: Int, of events: AsyncStream<CaptureEvent>) async -> [Int64] {
    var times: [Int64] = []
    for await case .press(let record) in events {
      #expect(record.press.source == .button)
      times.append(record.press.time.nanoseconds / 1_000_000)
      if times.count == count { break }
    }
    return times
  }

  private func untilWatched() async {
    for await isWatched in line.watches where isWatched { break }
  }

  @Test func aBouncingContactIsOnePressWithTheTimeOfItsFirstEdge() async throws {
    let events = bench.session.events.listen()
    try await bench.whileRunning(service) {
      await untilWatched()
      for start in [100, 1100] {
        await send(.activated, start)
        await send(.deactivated, start + 1)
        await send(.activated, start + 2)
        await send(.deactivated, start + 80)
        await send(.activated, start + 81)
        await send(.deactivated, start + 82)
      }
      await send(.activated, 2100)
      #expect(await times(3, of: events) == [100, 1100, 2100])
    }
    #expect(await bench.session.pressCounts.refused == 3)
    #expect(bench.log.count("shutter pressed") == 3)
    #expect(await line.releases == 1, "the line is given back")
  }

  @Test func aButtonThatIsHeldAtTheStartIsNoPress() async throws {
    await line.hold()
    let events = bench.session.events.listen()
    try await bench.whileRunning(service) {
      await untilWatched()
      await send(.deactivated, 500)
      await send(.activated, 1000)
      #expect(await times(1, of: events) == [1000])
    }
    #expect(await bench.session.pressCounts.refused == 1)
    #expect(bench.log.count("held down at the start") == 1)
  }

  @Test func aLineThatCannotBeReadIsTriedAgain() async throws {
    await line.fail(2)
    let events = bench.session.events.listen()
    try await bench.whileRunning(service) {
      for _ in 0..<2 {
        await bench.clock.untilSleepers(1)
        bench.clock.advance(by: .seconds(1))
      }
      await untilWatched()
      await send(.activated, 1000)
      #expect(await times(1, of: events) == [1000])

      // A running watch breaks, too.
      await line.send(
        .failed(DeviceError(.absent, device: "SHUTTER", problem: "can no longer be read")))
      await bench.clock.untilSleepers(1)
      bench.clock.advance(by: .seconds(1))
      await untilWatched()
      await send(.activated, 5000)
      #expect(await times(1, of: events) == [5000])
    }
    #expect(await line.attempts == 4)
    #expect(await line.releases == 4, "given back after every try")
    let logged = bench.log.count("the shutter cannot be read, trying again")
    #expect(logged == 2, "the same failure once")
  }

  @Test func lostEdgesAreLoggedAndWatchingGoesOn() async throws {
    let events = bench.session.events.listen()
    try await bench.whileRunning(service) {
      await untilWatched()
      await line.send(.lostEdges(count: 7))
      await send(.activated, 1000)
      #expect(await times(1, of: events) == [1000])
    }
    #expect(bench.log.count("\"button.lostEdges\": 7") == 1)
  }

  @Test func aPressWithoutANumberIsLoggedAndTheNextOneCounts() async throws {
    bench.failingReservations.set(1)
    let events = bench.session.events.listen()
    try await bench.whileRunning(service) {
      await untilWatched()
      await send(.activated, 1000)
      await send(.deactivated, 1100)
      await send(.activated, 2000)
      #expect(await times(1, of: events) == [2000])
    }
    #expect(await bench.session.pressCounts.refused == 2)
    #expect(bench.log.count("critical: a press got no number and no picture") == 1)
  }
}

/// A line whose edges a test sends, and that fails when it is told.
private actor ScriptedLine: ButtonLine {
  nonisolated let name = "SHUTTER"
  /// Gives an element for each attempt to watch: whether it succeeded.
  nonisolated let watches: AsyncStream<Bool>
  private nonisolated let report: AsyncStream<Bool>.Continuation
  private(set) var attempts = 0
  private(set) var releases = 0
  private var failures = 0
  private var isHeld = false
  private var events: AsyncStream<ButtonLineEvent>.Continuation?

  init() { (watches, report) = AsyncStream.makeStream() }

  /// The button is down when the next watch begins.
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
