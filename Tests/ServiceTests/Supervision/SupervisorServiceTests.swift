import Capture
import Devices
import Synchronization
import TestSupport
import Testing

@testable import Service

/// The messages to systemd, read from a real socket.
///
/// The environment is the whole process's, so these tests run one after the other.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SupervisorServiceTests {
  private let cameras = HangingCamera(in: .list, isListed: false)
  private let bench: ServiceBench
  private let socket: NotifySocket
  private let listening: AsyncStream<Void>
  private let reportListening: AsyncStream<Void>.Continuation
  /// A stream with an element when the service asks whether the API listens.
  private let asks: AsyncStream<Void>

  init() throws {
    bench = ServiceBench(cameras: cameras)
    socket = try NotifySocket()
    let (reports, reportListening) = AsyncStream.makeStream(of: Void.self)
    let (asks, ask) = AsyncStream.makeStream(of: Void.self)
    self.reportListening = reportListening
    self.asks = asks
    listening = AsyncStream(unfolding: {
      ask.yield()
      return await reports.first { true }
    })
  }

  /// Runs the service as under systemd and returns all its messages.
  private func messages(
    watchdog: Duration? = nil, _ body: () async throws -> Void
  ) async throws -> [String] {
    let service = SupervisorService(
      session: bench.session, monitor: bench.monitor, listening: listening, clock: bench.clock)
    let microseconds = watchdog.map { "\($0.wholeNanoseconds / 1000)" }
    try await withEnvironment([
      "NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": microseconds, "WATCHDOG_PID": nil,
    ]) {
      try await bench.whileRunning(service, body)
    }
    socket.finish()
    return await socket.messages.reduce(into: []) { $0.append($1) }
  }

  private func until(_ message: String) async {
    for await other in socket.messages where other == message { break }
  }

  /// Waits until the service waits for the API.
  private func untilAsked() async {
    for await _ in asks { break }
  }

  private func listen() {
    reportListening.yield()
    reportListening.finish()
  }

  @Test func `ready is sent only when the API listens`() async throws {
    var early: [String] = []
    let rest = try await messages {
      await untilAsked()
      socket.send("the API listens")
      listen()
      for await message in socket.messages {
        early.append(message)
        if message.hasPrefix("STATUS=") { break }
      }
    }
    #expect(early.prefix(2) == ["the API listens", "READY=1"])
    #expect(rest.last == "STOPPING=1")
    #expect(!(early + rest).contains("WATCHDOG=1"), "nobody asked for it")
  }

  /// A service that was stopped early was never ready.
  @Test func `ready is not sent when the service ends before the API listens`() async throws {
    let said = try await messages { await untilAsked() }
    #expect(said == ["STOPPING=1"])
  }

  @Test func `the status follows readiness`() async throws {
    bench.monitor.follow(bench.session.events)
    func report(_ state: CaptureReadiness, _ reasons: [InterruptionReason] = []) {
      bench.session.events.send(
        .readiness(Readiness(state: state, reasons: reasons, capturesInFlight: 0)))
    }
    let rest = try await messages {
      listen()
      await until("READY=1")
      await until("STATUS=sessionNotRunning")
      report(.ready)
      await until("STATUS=ready")
      report(.notReadyMomentarily, [.storageFull, .thermalPressure])
      await until("STATUS=storageFull, thermalPressure (notReadyMomentarily)")
      report(.notReadyMomentarily)
      await until("STATUS=notReadyMomentarily")
    }
    #expect(rest == ["STOPPING=1"])
  }

  @Test func `the watchdog is fed only while the session is not stuck`() async throws {
    let events = bench.session.events.listen()
    let session = Task { [session = bench.session] in try await session.run() }
    for await _ in cameras.hangs { break }
    let said = try await messages(watchdog: .seconds(3)) {
      listen()
      // The session's own loop and the watchdog's both sleep.
      await bench.clock.run(for: .seconds(20), sleepers: 2)
      await bench.clock.untilSleepers(2)
      socket.send("released")
      cameras.release()
      for await case .session in events { break }
      // There is no camera: the pause before the next attempt sleeps, too.
      await bench.clock.run(for: .seconds(1), sleepers: 3)
      await bench.clock.untilSleepers(3)
    }
    let halves = said.split(separator: "released")
    try #require(halves.count == 2)
    // Once a second from 0 to 15 s, then no more until the camera has answered.
    #expect(halves[0].count { $0 == "WATCHDOG=1" } == 16)
    #expect(halves[1].count { $0 == "WATCHDOG=1" } == 1)
    session.cancel()
    _ = await session.result
  }

  @Test func `outside systemd no message is sent and the service ends`() async throws {
    let service = SupervisorService(
      session: bench.session, monitor: bench.monitor, listening: listening, clock: bench.clock)
    try await withEnvironment(["NOTIFY_SOCKET": nil, "WATCHDOG_USEC": nil]) {
      try await bench.whileRunning(service) { listen() }
    }
    socket.finish()
    #expect(await socket.messages.reduce(0) { count, _ in count + 1 } == 0)
  }
}
