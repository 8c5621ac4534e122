import Devices
import Foundation
import RigConfiguration
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import API
@testable import Capture
@testable import Service
@testable import Upload

@Suite(.timeLimit(.minutes(10))) struct RigModelTests {
  private let bench = ServiceBench()
  private let scratch = ScratchSpool()
  private let url = "http://server/dav"

  private func model(
    _ spool: Spool, targets: [TargetFactory.Product] = []
  ) -> RigModel {
    RigModel(
      rigID: "rig-1", board: .simulated, session: bench.session, spool: spool,
      spoolConfiguration: scratch.configuration, targets: targets, monitor: bench.monitor,
      indicatorNames: [.ready: "rig:green:ready", .fault: "rig:red:fault"],
      world: bench.world, clock: bench.clock, startedAt: bench.clock.now,
      buttonNames: ["shutter", "pedal"])
  }

  @Test func `the rig does the work of every operation`() async throws {
    let model = model(try await scratch.open())
    let routes = APIRoutes(
      service: model,
      feed: EventFeed(run: "r", historyLimit: 1, maximumListeners: 1),
      logSource: LogMemory(),
      logFeed: EventFeed(run: "r", historyLimit: 1, maximumListeners: 1),
      auditLog: AuditFile(directory: scratch.directory, logger: .silent), maximumBodyBytes: 1)
    let file = ReferencePage.repository.appending(path: "Sources/API/openapi.yaml")
    let described = try String(contentsOf: file, encoding: .utf8)
      .matches(of: /operationId: (\w+)/).map { String($0.1) }
    #expect(routes.described.map(\.operation.id).sorted() == described.sorted())
  }

  /// Stores pictures of presses and delivers the first picture.
  private func fill(_ spool: Spool, presses: ClosedRange<Int64>) async throws -> [StoredItem] {
    var items: [StoredItem] = []
    for number in presses { items.append(try await spool.store(.sample(press: number))) }
    let queue = SpoolDeliveryQueue(spool: spool, target: .primary)
    let delivery = try #require(try await queue.next(excluding: []))
    try await queue.complete(delivery.id, receipt: .sample(delivery))
    return items
  }

  @Test func `a thumbnail comes from another file of the exposure where the picture has none`()
    async throws
  {
    let spool = try await scratch.open()
    let model = model(spool)
    let photo = try await spool.store(.sample(press: 1)).id.description
    #expect(try await model.spoolThumbnail(id: photo) == nil)
    var small = NewItem.sample(press: 1, bytes: 300)
    small.metadata.rendition = "thumbnail"
    let smallID = try await spool.store(small).id.description
    #expect(try await model.spoolThumbnail(id: photo) == small.bytes)
    #expect(try await model.spoolThumbnail(id: smallID) == small.bytes)
    var other = NewItem.sample(press: 1, bytes: 200)
    other.metadata.bracketIndex = 2
    let otherID = try await spool.store(other).id.description
    #expect(try await model.spoolThumbnail(id: otherID) == nil)
    await spool.close()
  }

  @Test func `the status gathers the reports of the parts`() async throws {
    let spool = try await scratch.open()
    let items = try await fill(spool, presses: 1...3)
    let model = model(spool)
    await bench.session.beginInterruption(.storageFull)
    await bench.session.update(
      AccelerometerSample(
        acceleration: Acceleration(x: -9.8, y: 0, z: 0), time: bench.clock.now))
    await bench.monitor.note(accelerometer: .ok)
    await bench.monitor.note(
      gravity: AccelerometerSample(
        acceleration: Acceleration(x: -9.8, y: 0, z: 0), time: bench.clock.now))
    await bench.monitor.note(
      heat: RigMonitor.Heat(
        state: .serious, temperatures: [RigMonitor.Temperature(zone: "cpu-thermal", celsius: 71)]))
    let number = try await bench.session.press(at: bench.clock.now, source: .button)
    bench.clock.advance(by: .seconds(90))

    let status = await model.status()
    #expect(status.rig == "rig-1")
    #expect(status.board == "simulated")
    #expect(status.version == PlatenVersion.current)
    #expect(status.readiness.state == "sessionNotRunning")
    #expect(status.readiness.reasons == ["storageFull"])
    #expect(status.session.state == "stopped")
    #expect(status.rotation.captureAngle == 90)
    #expect(status.rotation.exifOrientation == 6)
    #expect(status.rotation.accelerometer == "ok")
    #expect(status.rotation.acceleration == [-9.8, 0, 0])
    #expect(status.thermal.state == "serious")
    #expect(status.thermal.temperatures.map(\.celsius) == [71])
    #expect(status.spool.waiting == 2)
    #expect(status.spool.delivered == 1)
    #expect(status.spool.bytesWaiting == items.dropFirst().reduce(0) { $0 + $1.byteCount })
    #expect(status.targets.isEmpty)
    #expect(status.presses == PressSummary(last: number, stored: 0, refused: 1, inFlight: 0))
    #expect(status.lights.map(\.name) == ["rig:green:ready", "rig:red:fault"])
    #expect(status.lights.map(\.state) == [nil, nil], "nothing has set them yet")
    #expect(status.buttons == [ButtonReport(name: "shutter"), ButtonReport(name: "pedal")])
    #expect(status.uptimeSeconds == 90)
    #expect(status.spool.isStale == nil)
    await bench.monitor.note(accelerometer: .frozen)
    #expect(await model.status().rotation.acceleration == nil, "an old reading is none")
    await spool.close()
    let last = await model.status().spool
    #expect(last.waiting == 2 && last.isStale == true, "of a closed spool what was known last")
  }

  @Test func `flags that cannot be read are in the status and in the doctor's report`() async throws
  {
    let spool = try await scratch.open()
    var model = model(spool)
    model.configuration = try PlatenConfiguration.parse(
      "rig: { id: rig-1 }\nboard: simulated\nspool: { directory: /spool }", file: "platen.yaml")
    let problem = "\"firmware\" gave no throttle flags"
    await bench.monitor.note(heat: RigMonitor.Heat(throttleProblem: problem))
    #expect(await model.status().thermal.firmwareProblem == problem)
    let findings = await model.examine([.supply]).findings
    #expect(findings.map(\.code) == ["sensorUnreadable"])
    #expect(findings.map(\.seen) == [problem])
    await spool.close()
  }

  @Test func `the status reports the work of the uploader`() async throws {
    let spool = try await scratch.open()
    let item = try await spool.store(.sample(press: 1))
    let target = AnsweringTarget()
    let uploader = Uploader(
      queue: SpoolDeliveryQueue(spool: spool, target: .primary), target: target,
      policy: UploadPolicy(
        retry: RetryPolicy(base: .seconds(8)), parallelDeliveries: 1, startJitter: .zero),
      time: .following(bench.clock, wallNanoseconds: 0),
      random: { 0.5 }, logger: bench.log.logger)
    let section = try #require(
      try PlatenConfiguration.parse(
        """
        rig: { id: rig-1 }
        board: linux
        spool: { directory: /spool }
        targets: { primary: { kind: webdav, url: \(url) } }
        """, file: "platen.yaml"
      ).targets.first)
    let model = model(
      spool, targets: [TargetFactory.Product(section: section, url: url, uploader: uploader)])
    let stopped = TargetReport(name: "primary", kind: "webdav", url: url, state: "stopped")
    #expect(await model.status().targets == [stopped])
    let events = uploader.events.listen()
    let running = Task { await uploader.run() }
    for await case .began in events { break }
    let delivering = try #require(await model.status().targets.first)
    #expect(delivering.state == "delivering")
    #expect(delivering.running.map(\.itemID) == [item.id.description])
    #expect(delivering.running.map(\.bytes) == [item.byteCount])
    target.answer(
      .refuse(Upload.DeliveryFailure(.unreachable, scope: .target, text: "the server is away")))
    await bench.clock.untilSleepers(1)
    bench.clock.advance(by: .seconds(1))
    let waiting = try #require(await model.status().targets.first)
    #expect(waiting.state == "waitingToRetry")
    #expect(waiting.detail == "the server is away")
    #expect(waiting.nextAttemptSeconds == 3)
    #expect(waiting.failures == 1)
    bench.clock.advance(by: .seconds(3))
    for await case .began in events { break }
    let again = try #require(await model.status().targets.first)
    #expect(again.state == "delivering")
    #expect(again.detail == "the server is away", "it has not taken anything since")
    running.cancel()
    await running.value
    await spool.close()
  }

  @Test func `a press of an earlier run is read from the spool`() async throws {
    var spool = try await scratch.open()
    let items = try await fill(spool, presses: 41...42)
    await spool.close()
    spool = try await scratch.open()
    let model = model(spool)
    let waiting = try #require(try await model.press(number: 42))
    #expect(waiting.number == 42)
    #expect(waiting.source == "button")
    #expect(waiting.outcome == .stored)
    #expect(waiting.path == items[1].path)
    #expect(waiting.itemID == items[1].id.description)
    #expect(waiting.sha256 == items[1].sha256)
    #expect(waiting.bytes == Int(items[1].byteCount))
    #expect(waiting.exifOrientation == 6)
    #expect(waiting.receipt == nil)
    let delivered = try #require(try await model.press(number: 41))
    #expect(delivered.receipt?.sha256 == items[0].sha256)
    #expect(delivered.receipt?.status == 201)
    #expect(try await model.press(number: 43) == nil)
    let list = try await model.presses(PressFilter(limit: 1))
    #expect(list.presses.map(\.number) == [42] && list.next == 42)
    #expect(list.presses.map(\.path) == [items[1].path])
    await spool.close()
  }

  @Test func `the findings about a page of an earlier run come from its metadata`() async throws {
    let spool = try await scratch.open()
    var item = NewItem.sample(press: 5)
    var page = PageFindings()
    page.letterHeight = 20
    page.regions = [PageFindings.Region(x: 0, y: 0, width: 1, height: 0.25)]
    page.warnings = [.textBlurred]
    item.metadata.page = page
    item.metadata.orientationSource = .gravity
    _ = try await spool.store(item)
    let report = try #require(try await model(spool).press(number: 5))
    #expect(report.page == PageReport(page, hasRegions: true))
    #expect(report.orientationSource == "gravity")
    let listed = try await model(spool).presses(PressFilter()).presses
    #expect(listed.map(\.page) == [PageReport(page)])
    await spool.close()
  }

  @Test func `a bracket of an earlier run is damaged if any of its pictures is`() async throws {
    var spool = try await scratch.open()
    var items = [NewItem.sample(press: 6), NewItem.sample(press: 6, bytes: 500)]
    for index in items.indices { items[index].metadata.bracketIndex = index + 1 }
    items[1].metadata.isDamaged = true
    let stored = try await spool.store(group: items)
    _ = try await spool.store(.sample(press: 7))
    await spool.close()
    spool = try await scratch.open()
    let model = model(spool)
    let report = try #require(try await model.press(number: 6))
    #expect(report.itemIDs == stored.map(\.id.description))
    #expect(report.path == stored.first?.path && report.isDamaged == true)
    #expect(try await model.press(number: 7)?.isDamaged == nil)
    let listed = try await model.presses(PressFilter()).presses
    #expect(listed.map(\.number) == [7, 6] && listed.map(\.isDamaged) == [nil, true])
    await spool.close()
  }

  @Test func `a refused shot is a report with its reason`() async throws {
    let spool = try await scratch.open()
    let model = model(spool)
    await bench.session.beginInterruption(.thermalPressure)
    let report = try await model.shoot(PressSettings())
    #expect(report.source == "api")
    #expect(report.outcome == .refused)
    #expect(report.reason == "thermalPressure")
    #expect(try await model.press(number: report.number) == report)
    #expect(try await model.presses(PressFilter()) == PressList(presses: [report]))
    await spool.close()
  }

  @Test func `a shot without a number is unavailable`() async throws {
    let spool = try await scratch.open()
    bench.failingReservations.set(1)
    let error = await #expect(throws: APIError.self) {
      try await model(spool).shoot(PressSettings())
    }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("got no number") == true)
    await spool.close()
  }

  @Test func `a shot is stored and later shows its receipt`() async throws {
    let spool = try await scratch.open()
    let world = SimulatedWorld()
    let session = CaptureSession(
      configuration: .patient(FrameSize(width: 640, height: 360)),
      cameras: SimulatedCameraSystem(world: world),
      numbers: PressNumbers { try await spool.reservePressNumbers(count: $0) },
      clock: world.clock, logger: bench.log.logger,
      receive: { photo, _ in
        do {
          let item = try await spool.store(.sample(press: photo.press.number))
          return .stored(
            StoredPhoto(
              itemID: item.id.description, path: item.path, byteCount: Int(item.byteCount),
              sha256: item.sha256))
        } catch {
          return .refused(.storageFailed)
        }
      })
    let events = session.events.listen(limit: 1024)
    let running = Task { try await session.run() }
    for await case .readiness(let readiness) in events where readiness.state == .ready { break }
    let model = RigModel(
      rigID: "rig-1", board: .simulated, session: session, spool: spool,
      spoolConfiguration: scratch.configuration, targets: [], monitor: bench.monitor,
      indicatorNames: [:], world: world,
      clock: world.clock, startedAt: world.clock.now)
    let report = try await model.shoot(PressSettings())
    #expect(report.outcome == .stored)
    #expect(report.frame != nil)
    #expect(report.pressToStoredMilliseconds != nil)
    let queue = SpoolDeliveryQueue(spool: spool, target: .primary)
    let delivery = try #require(try await queue.next(excluding: []))
    #expect(delivery.id == report.itemID)
    try await queue.complete(delivery.id, receipt: .sample(delivery))
    #expect(
      try await model.press(number: report.number)?.receipt?.remoteName == delivery.remoteName)
    let status = await model.status()
    #expect(status.presses.stored == 1)
    #expect(status.session.state == "running")
    #expect(status.session.size == SizeReport(width: 640, height: 360))
    running.cancel()
    _ = await running.result
    await spool.close()
  }

  @Test func `the status shows the faults of a button and the state of a light`() async throws {
    let spool = try await scratch.open()
    let model = model(spool)
    let events = await model.events()
    let stuck = RigMonitor.Fault(reason: .buttonStuck, part: "pedal")
    await bench.monitor.begin(stuck)
    await bench.monitor.begin(RigMonitor.Fault(reason: .buttonHeldAtStart, part: "pedal"))
    await bench.monitor.note(lostEdges: 2, of: "shutter")
    await bench.monitor.note(lostEdges: 3, of: "shutter")
    await bench.monitor.note(
      light: RigMonitor.Light(
        pattern: InterruptionReason.buttonStuck.facts.code.pattern, isFailing: true), of: .fault)
    await bench.monitor.note(light: RigMonitor.Light(pattern: .on, isFailing: false), of: .ready)
    let status = await model.status()
    let both = [
      ButtonReport(name: "shutter", lostEdges: 5),
      ButtonReport(name: "pedal", faults: ["buttonStuck", "buttonHeldAtStart"]),
    ]
    #expect(status.buttons == both)
    #expect(
      status.lights == [
        LightReport(
          role: "ready", name: "rig:green:ready", state: "ready", shown: "steady",
          meaning: "a press would be taken"),
        LightReport(
          role: "fault", name: "rig:red:fault", state: "buttonStuck", shown: "5-1 flashes",
          meaning: "a button is stuck, or something lies on it", code: "5-1", isFailing: true),
      ])
    await bench.monitor.end(stuck)
    bench.monitor.changes.finish()
    let all: [RigEvent] = await events.reduce(into: []) { $0.append($1) }
    #expect(all.map(\.kind) == Array(repeating: .buttons, count: 5))
    guard case .buttons(let last)? = all.last?.payload else { return }
    #expect(last.map(\.faults) == [[], ["buttonHeldAtStart"]])
    await spool.close()
  }

  @Test func `changes become numbered events`() async throws {
    let spool = try await scratch.open()
    let items = try await fill(spool, presses: 7...8)
    let events = await model(spool).events()
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
    let events = await model(spool).events()
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
    let events = await model(spool).events()
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
