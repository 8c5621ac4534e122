import API
import Devices
import Doctor
import Foundation
import RigConfiguration
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import Capture
@testable import Service

/// The way from the session's events to the spool's ledger.
@Suite(.timeLimit(.minutes(10))) struct LedgerServiceTests {
  private let bench = ServiceBench()
  private let scratch = ScratchSpool()

  private func service(_ spool: Spool) -> LedgerService {
    LedgerService(
      session: bench.session, spool: spool, clock: bench.clock, bootID: "boot-a",
      logger: bench.log.logger
    ) { instant in
      WallClockReading(
        nanosecondsSinceEpoch: instant.nanoseconds + 1000, trust: .estimated, secondsFromGMT: 0)
    }
  }

  /// Waits until so many presses are on stable storage.
  private func untilWritten(_ count: Int, _ spool: Spool) async throws -> PressCounts {
    var counts = try await spool.pressCounts()
    try await eventually {
      counts = try await spool.pressCounts()
      return counts.counts.reduce(0) { $0 + $1.kept } >= count
    }
    return counts
  }

  @Test func `a refused press is written after a short delay`() async throws {
    let spool = try await scratch.open()
    let service = service(spool)
    try await bench.whileRunning(service) {
      let number = try await bench.session.press(
        at: bench.clock.now, source: .button, gesture: .double, button: "pedal",
        settings: PhotoSettings(bracket: .standard))
      await bench.clock.untilSleepers(1)
      #expect(try await spool.pressCounts().counts.isEmpty)
      bench.clock.advance(by: LedgerService.delay)
      let counts = try await untilWritten(1, spool)
      #expect(counts.counts.map(\.reason) == ["sessionNotRunning"])
      let entry = try #require(try await spool.press(number))
      #expect(entry.gesture == .double && entry.button == "pedal" && entry.source == .button)
      #expect(entry.readiness == .sessionNotRunning && entry.bracket == .standard)
      #expect(entry.time.bootID == "boot-a" && entry.time.wallTrust == .estimated)
      bench.session.events.finish()
    }
    await spool.close()
  }

  @Test func `the press of a recording gets the recording's refusal as its outcome`()
    async throws
  {
    let spool = try await scratch.open()
    let service = service(spool)
    try await bench.whileRunning(service) {
      let time = CaptureTime(
        bootID: "boot-a", monotonicNanoseconds: 5, wallNanoseconds: 6, wallTrust: .estimated)
      var entry = PressEntry(number: 7, time: time, source: .button)
      entry.button = "pedal"
      service.note(entry)
      await bench.clock.untilSleepers(1)
      let error = MovieError(.recorderMissing, problem: "cannot begin", cause: "test")
      bench.session.events.send(
        .movie(.finished(MovieRecord(number: 1, press: 7, outcome: .refused(error)))))
      await bench.clock.untilSleepers(2)
      bench.clock.advance(by: LedgerService.longDelay)
      _ = try await untilWritten(1, spool)
      bench.session.events.finish()
    }
    let written = try #require(try await spool.press(7))
    #expect(written.outcome == .refused("recorderMissing"))
    #expect(written.source == .button && written.button == "pedal")
    #expect(written.time.monotonicNanoseconds == 5)
    await spool.close()
  }

  /// Sends the event of a press that has no outcome yet.
  private func begin(_ number: Int64) {
    bench.session.events.send(
      .press(PressRecord(press: Press(number: number, source: .button, time: bench.clock.now))))
  }

  @Test func `a press in flight waits for its picture, and no longer than the limit`()
    async throws
  {
    let spool = try await scratch.open()
    let service = service(spool)
    try await bench.whileRunning(service) {
      begin(1)
      await bench.clock.untilSleepers(1)
      #expect(bench.clock.nextDeadline == bench.clock.now.advanced(by: LedgerService.longDelay))
      bench.clock.advance(by: LedgerService.longDelay)
      #expect(try await untilWritten(1, spool).counts.map(\.outcome) == [.pending])

      // The picture's commit takes the press along, and there is no other commit.
      begin(2)
      await bench.clock.untilSleepers(1)
      _ = try await spool.store(.sample(press: 2))
      let time = CaptureTime(
        bootID: nil, monotonicNanoseconds: nil, wallNanoseconds: nil, wallTrust: .unknown)
      spool.enter(LostEdges(button: "shutter", count: 1, time: time))
      bench.clock.advance(by: LedgerService.longDelay)
      begin(3)
      await bench.clock.untilSleepers(1)
      #expect(try await spool.pressCounts().lostEdges == 0)
      bench.session.events.finish()
    }
    #expect(try await spool.pressCounts().counts.reduce(0) { $0 + $1.kept } == 3)
    #expect(try await spool.pressCounts().lostEdges == 1)
    await spool.close()
  }

  @Test func `all presses are written at the end`() async throws {
    let spool = try await scratch.open()
    let service = service(spool)
    try await bench.whileRunning(service) {
      for _ in 0..<600 {
        try await bench.session.press(at: bench.clock.now, source: .button)
      }
      service.note(lostEdges: 4, button: "shutter")
      service.note(lostEdges: 0, button: "shutter")
      bench.session.events.finish()
    }
    let counts = try await spool.pressCounts()
    #expect(counts.counts.map(\.kept) == [600] && counts.lostEntries == 0)
    #expect(counts.lostEdges == 4)
    #expect(try await spool.lostEdges().map(\.button) == ["shutter"])
    await spool.close()
  }

  /// The buttons and the API outlive a session that fails.
  @Test func `a press after the end of the session is written too`() async throws {
    let spool = try await scratch.open()
    let service = service(spool)
    var numbers: [Int64] = []
    try await bench.whileRunning(service) {
      numbers.append(try await bench.session.press(at: bench.clock.now, source: .button))
      bench.session.events.finish()
      for source in [PressSource.button, .api] {
        numbers.append(try await bench.session.press(at: bench.clock.now, source: source))
      }
    }
    for number in numbers {
      let entry = try #require(try await spool.press(number))
      #expect(entry.outcome == .refused("sessionNotRunning"))
    }
    let counts = try await spool.pressCounts()
    #expect(counts.counts.map(\.kept) == [3] && counts.lostEntries == 0)
    await spool.close()
  }

  /// Events that the stream drops for want of a reader are still entered.
  @Test func `a storm of presses loses none unseen`() async throws {
    let spool = try await scratch.open()
    let service = service(spool)
    for number in 1...10_000 as ClosedRange<Int64> {
      var record = PressRecord(
        press: Press(number: number, source: .button, time: bench.clock.now))
      record.outcome = .refused(.tooManyCapturesInFlight)
      bench.session.events.send(.press(record))
    }
    bench.session.events.finish()
    try await bench.whileRunning(service) {}
    let counts = try await spool.pressCounts()
    let written = counts.counts.reduce(0) { $0 + $1.kept }
    #expect(written + counts.lostEntries == 10_000)
    #expect(written >= 4096)
    await spool.close()
  }

  /// The first known facts stay in the ledger.
  @Test(arguments: OrientationSource.allCases)
  func `the angle of a press in flight is entered only if no text may change it`(
    source: OrientationSource
  ) {
    var record = PressRecord(press: Press(number: 1, source: .button, time: bench.clock.now))
    (record.captureAngle, record.orientationSource) = (90, source)
    let reading = WallClock().reading(at: bench.clock.now)
    let entry = PressEntry(record, bootID: nil, reading: reading)
    #expect(entry.captureAngle == (source == .gravity ? 90 : nil))
    record.outcome = .refused(.storageFull)
    #expect(PressEntry(record, bootID: nil, reading: reading).captureAngle == 90)
  }

  @Test func `a press tells the driver's number of its frame, from this run and from the ledger`() {
    var record = PressRecord(press: Press(number: 1, source: .button, time: bench.clock.now))
    record.frame = FrameInfo(id: 7, sequence: 40, timestamp: bench.clock.now)
    #expect(PressReport(record, bootID: nil).frame == 40)
    let reading = WallClock().reading(at: bench.clock.now)
    #expect(PressEntry(record, bootID: nil, reading: reading).frame == 40)
  }

  @Test func `a closed spool is logged once and does not end the service`() async throws {
    let spool = try await scratch.open()
    await spool.close()
    let service = service(spool)
    try await bench.whileRunning(service) {
      for _ in 0..<3 { try await bench.session.press(at: bench.clock.now, source: .button) }
      await bench.clock.untilSleepers(1)
      bench.clock.advance(by: LedgerService.delay)
      try await eventually { bench.log.count("presses could not be entered") != 0 }
      bench.session.events.finish()
    }
    #expect(bench.log.count("presses could not be entered") == 1)
  }

  @Test func `a press of an earlier run is read from the ledger`() async throws {
    var spool = try await scratch.open()
    let world = SimulatedWorld()
    let session = CaptureSession(
      configuration: .patient(FrameSize(width: 640, height: 360)),
      cameras: SimulatedCameraSystem(world: world),
      numbers: PressNumbers { [spool] in try await spool.reservePressNumbers(count: $0) },
      clock: world.clock, logger: bench.log.logger,
      receive: { [spool] photo, _ in await spool.storeSample(of: photo.press) })
    let service = LedgerService(
      session: session, spool: spool, clock: world.clock, bootID: "b", logger: bench.log.logger)
    let events = session.events.listen(limit: 1024)
    let report = try await bench.whileRunning(service) {
      let running = Task { try await session.run() }
      for await case .readiness(let readiness) in events where readiness.state == .ready { break }
      let number = try await session.press(at: world.clock.now, source: .button, gesture: .long)
      let record = try #require(await session.outcome(of: number))
      running.cancel()
      _ = await running.result
      return record
    }
    guard case .stored(let photo) = report.outcome else {
      Issue.record("\(report)")
      return
    }
    await spool.close()
    spool = try await scratch.open()
    let model = RigModel(
      rigID: "rig-1", board: .simulated, session: bench.session, spool: spool,
      spoolConfiguration: scratch.configuration, targets: [], monitor: bench.monitor,
      indicatorNames: [:], world: nil, clock: bench.clock, startedAt: bench.clock.now)
    let told = try #require(try await model.press(number: report.press.number))
    #expect(told.outcome == .stored)
    #expect(told.itemID == photo.itemID)
    #expect(told.sha256 == photo.sha256)
    #expect(told.gesture == "long")
    #expect(told.readiness == "ready")
    #expect(told.bootID == "b")
    #expect(told.monotonicNanoseconds == report.press.time.nanoseconds)
    #expect(told.captureAngle == report.captureAngle && told.captureAngle != nil)
    #expect(told.pressToStoredMilliseconds == report.pressToStored?.inMilliseconds)
    #expect(told.selectionErrorMilliseconds == report.selectionError?.inMilliseconds)
    #expect(told.time != nil && told.pictureState == "stored")

    // A press whose picture is quarantined later stays stored, and says so.
    let damaged = try #require(ItemID(photo.itemID))
    let delivery = try #require(try await spool.nextDelivery())
    #expect(delivery.id == damaged)
    try Data(repeating: 0xEE, count: photo.byteCount).write(to: URL(fileURLWithPath: photo.path))
    _ = try await spool.verifyForDelivery(damaged)
    let later = try #require(try await model.press(number: report.press.number))
    #expect(later.outcome == .stored && later.pictureState == "quarantined")
    var filter = PressFilter()
    filter.gesture = .long
    #expect(try await model.presses(filter).presses.map(\.number) == [report.press.number])
    filter.gesture = .double
    #expect(try await model.presses(filter) == PressList(presses: []))
    await spool.close()
  }
}
