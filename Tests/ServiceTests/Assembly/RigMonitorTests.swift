import Devices
import Testing

@testable import Capture
@testable import Service

@Suite struct RigMonitorTests {
  private let monitor = RigMonitor(hasAccelerometer: true)

  /// Returns the changes that listeners get while the monitor is told something.
  private func changes(
    during body: (RigMonitor) async -> Void
  ) async -> [RigMonitor.Change] {
    let changes = monitor.changes.listen()
    await body(monitor)
    monitor.changes.finish()
    return await changes.reduce(into: []) { $0.append($1) }
  }

  @Test func `an equal value notifies nobody`() async {
    let fault = RigMonitor.Fault(reason: .buttonStuck, part: "pedal")
    let heat = RigMonitor.Heat.in(.serious)
    let instant = MonotonicInstant(nanoseconds: 1)
    let seen = await changes { monitor in
      for _ in 0..<3 {
        await monitor.note(accelerometer: .ok)
        await monitor.note(heat: heat)
        await monitor.note(upload: .active, detail: nil, target: "a")
        await monitor.note(uploadsPaused: true)
        await monitor.note(powerOffArmedUntil: instant)
        await monitor.begin(fault)
        await monitor.note(lostEdges: 0, of: "pedal")
        await monitor.note(spikes: 0, of: "pedal")
      }
    }
    #expect(seen.count == 6)
  }

  @Test func `a recording is shown while its frames are written`() async {
    let events = EventHub<CaptureEvent>()
    monitor.follow(events)
    let changes = monitor.snapshotChanges()
    let cases: [(MovieStatus.State, Bool)] = [
      (.starting, false), (.recording, true), (.paused, false),
    ]
    for (state, isShown) in cases {
      var status = MovieStatus()
      status.state = state
      events.send(.movie(.status(status)))
      #expect(await changes.first { _ in true } != nil)
      #expect(await monitor.snapshot.isRecording == isShown, "\(state)")
    }
  }

  @Test func `lights, temperatures and gravity notify nobody`() async {
    let seen = await changes { monitor in
      for number in 0..<3 {
        var heat = RigMonitor.Heat()
        heat.temperatures = [RigMonitor.Temperature(zone: "cpu-thermal", celsius: Double(number))]
        await monitor.note(heat: heat)
        await monitor.note(
          light: RigMonitor.Light(pattern: .flashes(number + 1), isFailing: false), of: .ready)
        await monitor.note(
          gravity: AccelerometerSample(
            acceleration: Acceleration(x: 0, y: 9.8, z: Double(number)),
            time: MonotonicInstant(nanoseconds: Int64(number))))
      }
    }
    #expect(seen.isEmpty)
    #expect(await monitor.snapshot.acceleration?.z == 2)
    #expect(await monitor.snapshot.lights[.ready]?.pattern == .flashes(3))
    #expect(await monitor.snapshot.heat.temperatures.map(\.celsius) == [2])
  }

  @Test func `a zone or flags that cannot be read are news`() async {
    let seen = await changes { monitor in
      var heat = RigMonitor.Heat()
      for celsius in [40, nil, nil, 41] as [Double?] {
        heat.temperatures = [RigMonitor.Temperature(zone: "cpu-thermal", celsius: celsius)]
        await monitor.note(heat: heat)
      }
      for problem in ["no flags", "no flags", nil] {
        heat.throttleProblem = problem
        await monitor.note(heat: heat)
      }
    }
    #expect(seen.count == 4)
  }

  @Test func `the session's readiness and refusals are in the snapshot at once`() async {
    let session = EventHub<CaptureEvent>()
    monitor.follow(session)
    let signs = monitor.snapshotChanges()
    let ready = Readiness(state: .ready, reasons: [], capturesInFlight: 0)
    var record = PressRecord(
      press: Press(number: 1, source: .button, time: MonotonicInstant(nanoseconds: 1)))
    let seen = await changes { monitor in
      session.send(.readiness(ready))
      session.send(.press(record))
      record.outcome = .refused(.noFrameInTime)
      session.send(.press(record))
      #expect(await monitor.snapshot.readiness == ready)
      #expect(await monitor.snapshot.refusal == 1)
      session.send(.rotation(captureAngle: 90))
      session.send(.session(CaptureSessionStatus()))
    }
    #expect(seen.count == 5)
    let unread: [RigMonitor.Change] = await signs.reduce(into: []) { $0.append($1) }
    guard unread.count == 1, case .capture(.press)? = unread.first else {
      Issue.record("one sign waits, and a rotation is none: \(unread)")
      return
    }
  }

  @Test func `a new admitted press ends a refusal`() async {
    let session = EventHub<CaptureEvent>()
    monitor.follow(session)
    var record = PressRecord(
      press: Press(number: 1, source: .button, time: MonotonicInstant(nanoseconds: 1)))
    record.outcome = .refused(.noFrameInTime)
    session.send(.press(record))
    record.outcome = nil
    session.send(.press(record))
    #expect(await monitor.snapshot.refusal == nil)
  }

  @Test func `a refused recording is a refusal of its press`() async {
    let session = EventHub<CaptureEvent>()
    monitor.follow(session)
    let error = MovieError(.recorderMissing, problem: "cannot begin", cause: "it is missing")
    for (press, count) in [(nil, nil), (4, 1), (5, 2)] as [(Int64?, Int?)] {
      session.send(
        .movie(.finished(MovieRecord(number: 1, press: press, outcome: .refused(error)))))
      #expect(await monitor.snapshot.refusal == count)
    }
    let instant = MonotonicInstant(nanoseconds: 1)
    let stored = StoredMovie(
      parts: [], gaps: [], droppedFrameCount: 0, end: .stopped, beganAt: instant, endedAt: instant)
    session.send(.movie(.finished(MovieRecord(number: 4, press: 6, outcome: .stored(stored)))))
    #expect(await monitor.snapshot.refusal == 2)
  }
}
