import Capture
import Devices
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct AccelerometerServiceTests {
  private let bench = ServiceBench()
  private let accelerometer = ScriptedAccelerometer()
  private let gone = DeviceError(.absent, device: "lis3dh", problem: "cannot be opened")

  private var service: AccelerometerService {
    AccelerometerService(
      accelerometer: accelerometer, rate: 10, frozenAfter: .seconds(30), session: bench.session,
      monitor: bench.monitor, clock: bench.clock, logger: bench.log.logger)
  }

  /// Waits until the sensor has been started.
  private func untilStarted() async {
    for await isRunning in accelerometer.starts where isRunning { break }
  }

  private func send(_ x: Double, _ y: Double) async {
    await accelerometer.send([
      .sample(
        AccelerometerSample(acceleration: Acceleration(x: x, y: y, z: 0), time: bench.clock.now))
    ])
  }

  @Test func `samples turn the session and are shown`() async throws {
    let changes = bench.monitor.changes.listen()
    let events = bench.session.events.listen()
    try await bench.whileRunning(service) {
      await untilStarted()
      #expect(await accelerometer.rate == 10)
      await send(-9.8, 0)
      for await case .accelerometer(let state) in changes {
        #expect(state == .ok)
        break
      }
      for await case .rotation(let angle) in events {
        #expect(angle == 90)
        break
      }
      #expect(await bench.session.captureAngle == 90)
      #expect(await bench.monitor.snapshot.acceleration == Acceleration(x: -9.8, y: 0, z: 0))
    }
    #expect(await !accelerometer.isRunning, "the sensor is stopped at the end")
  }

  @Test func `a missing sensor is retried every second and logged once`() async throws {
    await accelerometer.fail(gone)
    let changes = bench.monitor.changes.listen()
    try await bench.whileRunning(service) {
      // The reader and the watch over its silence both sleep.
      await bench.clock.run(for: .seconds(20), sleepers: 2)
      await bench.clock.untilSleepers(2)
      #expect(await bench.monitor.snapshot.accelerometer == .absent)
      #expect(await accelerometer.attempts == 21)
      #expect(bench.log.count("accelerometer failed, going on") == 1)

      await accelerometer.fail(nil)
      bench.clock.advance(by: .seconds(1))
      await untilStarted()
      await send(0, 9.8)
      for await case .accelerometer(.ok) in changes { break }

      // The same fault is logged again after a recovery.
      await accelerometer.send([.failed(gone)])
      for await case .accelerometer(.absent) in changes { break }
    }
    #expect(bench.log.count("accelerometer failed, going on") == 2)
    #expect(bench.log.count("notice: accelerometer changed") == 1, "recovery is reported")
  }

  @Test func `a sensor that falls silent is frozen until it answers again`() async throws {
    let changes = bench.monitor.changes.listen()
    try await bench.whileRunning(service) {
      await untilStarted()
      await send(0, 9.8)
      for await case .accelerometer(.ok) in changes { break }
      await bench.clock.run(for: .milliseconds(2999))
      await bench.clock.untilSleepers(1)
      #expect(await bench.monitor.snapshot.accelerometer == .ok, "not silent for long enough")
      await bench.clock.run(for: .milliseconds(1))
      for await case .accelerometer(let state) in changes {
        #expect(state == .frozen)
        break
      }
      await send(0, 9.7)
      for await case .accelerometer(.ok) in changes { break }
    }
    #expect(bench.log.count("accelerometer changed") == 3)
  }

  @Test func `implausible readings are reported and the last angle stays`() async throws {
    let changes = bench.monitor.changes.listen()
    let events = bench.session.events.listen()
    try await bench.whileRunning(service) {
      await untilStarted()
      await send(-9.8, 0)
      for await case .rotation in events { break }
      for _ in 0..<AccelerometerHealth.implausibleCount { await send(900, .nan) }
      for await case .accelerometer(.implausible) in changes { break }
      #expect(await bench.session.captureAngle == 90)
    }
  }

  /// The sensor gathers samples, but a picture needs those of its moment.
  @Test func `a request for gravity fetches as many samples as a turn needs`() async throws {
    try await bench.whileRunning(service) {
      await untilStarted()
      bench.session.gravityRequests.send(())
      for await _ in accelerometer.flushes { break }
      // The watch for silence sleeps, and the request until the next sample.
      await bench.clock.untilSleepers(2)
      #expect(await accelerometer.flushCount == 1)
      bench.clock.advance(by: AccelerometerService.fetchInterval)
      for await _ in accelerometer.flushes { break }
      #expect(await accelerometer.flushCount == RotationCoordinator.agreement)
    }
  }

  @Test func `an ended stream is restarted`() async throws {
    try await bench.whileRunning(service) {
      await untilStarted()
      await accelerometer.endStream()
      await bench.clock.untilSleepers(2)
      bench.clock.advance(by: .seconds(1))
      await untilStarted()
      #expect(await accelerometer.attempts == 2)
    }
  }
}

/// An accelerometer with scripted samples and failures.
private actor ScriptedAccelerometer: Accelerometer {
  nonisolated let name = "scripted"
  /// An element for each start: whether it succeeded.
  nonisolated let starts: AsyncStream<Bool>
  private nonisolated let report: AsyncStream<Bool>.Continuation
  /// An element for each flush.
  nonisolated let flushes: AsyncStream<Void>
  private nonisolated let reportFlush: AsyncStream<Void>.Continuation
  private(set) var flushCount = 0
  private(set) var attempts = 0
  private(set) var rate = 0.0
  private var failure: DeviceError?
  private var events: AsyncStream<[AccelerometerEvent]>.Continuation?

  init() {
    (starts, report) = AsyncStream.makeStream()
    (flushes, reportFlush) = AsyncStream.makeStream()
  }

  var isRunning: Bool { events != nil }

  /// Makes the next starts fail, or succeed with `nil`.
  func fail(_ failure: DeviceError?) { self.failure = failure }

  func send(_ batch: [AccelerometerEvent]) { events?.yield(batch) }

  func flush() async {
    flushCount += 1
    reportFlush.yield()
  }

  func endStream() { events?.finish() }

  func start(rate: Double) async throws(DeviceError) -> AsyncStream<[AccelerometerEvent]> {
    attempts += 1
    self.rate = rate
    report.yield(failure == nil)
    if let failure { throw failure }
    let (stream, continuation) = AsyncStream.makeStream(of: [AccelerometerEvent].self)
    events = continuation
    return stream
  }

  func stop() async {
    events?.finish()
    events = nil
  }
}
