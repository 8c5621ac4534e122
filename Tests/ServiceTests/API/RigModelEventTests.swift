import Devices
import RigConfiguration
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import API
@testable import Capture
@testable import Service
@testable import Upload

/// The numbered events that the API sends.
@Suite(.timeLimit(.minutes(10))) struct RigModelEventTests {
  private let bench = ServiceBench()
  private let scratch = ScratchSpool()

  @Test func `changes become numbered events`() async throws {
    let spool = try await scratch.open()
    let items = try await spool.storeSamples(presses: 7...8)
    let events = await bench.model(spool, scratch).events()
    await bench.monitor.note(upload: .active, detail: nil, target: "primary")
    await bench.monitor.note(
      heat: RigMonitor.Heat(
        state: .critical, temperatures: [RigMonitor.Temperature(zone: "cpu-thermal", celsius: 90)]))
    await bench.monitor.note(accelerometer: .frozen)
    let receipt = Upload.Receipt(
      url: "https://h/a", remoteName: "a", sha256: items[0].sha256, verification: .readBack,
      status: 201, entityTag: nil, isDuplicate: false, wallNanoseconds: 0)
    for (press, item, outcome) in [
      (Int64(8), items[1], RigMonitor.DeliveryChange.Outcome.began),
      (7, items[0], .completed(receipt)),
      (8, items[1], .failed(reason: "the target is away")),
    ] {
      await bench.monitor.note(
        delivery: .init(
          itemID: item.id.description, press: press, target: "primary", outcome: outcome))
    }
    bench.monitor.changes.finish()
    let all: [RigEvent] = await events.reduce(into: []) { $0.append($1) }
    #expect(all.map(\.id) == [1, 2, 3, 4, 5, 6])
    #expect(all.map(\.kind) == [.targets, .thermal, .rotation, .delivery, .delivery, .delivery])
    let deliveries = all.compactMap { event in
      if case .delivery(let report) = event.payload { report } else { nil }
    }
    #expect(deliveries.map(\.press) == [8, 7, 8])
    #expect(deliveries.map(\.target) == ["primary", "primary", "primary"])
    #expect(deliveries.map(\.state) == ["delivering", "delivered", "waitingToRetry"])
    #expect(deliveries.map(\.detail) == [nil, nil, "the target is away"])
    #expect(deliveries.map(\.receipt?.sha256) == [nil, items[0].sha256, nil])
    await spool.close()
  }

  /// Events lost to a slow reader leave a gap in the numbers.
  @Test func `the session's events are numbered and losses leave gaps`() async throws {
    let spool = try await scratch.open()
    let events = await bench.model(spool, scratch).events()
    bench.monitor.follow(bench.session.events)
    let count: UInt64 = 5000
    for number in 1...Int64(count) {
      var record = PressRecord(
        press: Press(number: number, source: .button, time: bench.clock.now))
      record.outcome = .refused(.tooManyCapturesInFlight)
      bench.session.events.send(.press(record))
    }
    bench.monitor.changes.finish()
    let all: [RigEvent] = await events.reduce(into: []) { $0.append($1) }
    #expect(all.first?.id == count - UInt64(all.count) + 1, "the oldest are lost")
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.id + 1 == $1.id })
    #expect(all.last?.id == count, "each event has its number, sent or lost")
    guard case .press(let last)? = all.last?.payload else {
      Issue.record("the last event is no press")
      return
    }
    #expect(last.number == Int64(count))
    await spool.close()
  }

  @Test func `the end of a recording is one event, with its outcome`() async throws {
    let spool = try await scratch.open()
    let events = await bench.model(spool, scratch).events()
    bench.monitor.follow(bench.session.events)
    var status = MovieStatus()
    (status.state, status.number, status.press) = (.finishing, 1, 7)
    bench.session.events.send(.movie(.status(status)))
    let error = MovieError(.nothingRecorded, problem: "is empty", cause: "it ended")
    bench.session.events.send(
      .movie(.finished(MovieRecord(number: 1, press: 7, outcome: .refused(error)))))
    bench.session.events.send(.movie(.status(MovieStatus())))
    bench.monitor.changes.finish()
    let all: [RigEvent] = await events.reduce(into: []) { $0.append($1) }
    #expect(all.map(\.id) == [1, 2])
    let reports = all.compactMap { event in
      if case .movie(let report) = event.payload { report } else { nil }
    }
    #expect(reports.map(\.state) == ["finishing", "idle"])
    #expect(reports.last?.last?.reason == "nothingRecorded")
    await spool.close()
  }
}
