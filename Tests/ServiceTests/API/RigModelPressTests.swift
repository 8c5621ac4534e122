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

/// The shots of the API, and the presses of this run and of earlier ones.
@Suite(.timeLimit(.minutes(10))) struct RigModelPressTests {
  private let bench = ServiceBench()
  private let scratch = ScratchSpool()

  @Test func `a press of an earlier run is read from the spool`() async throws {
    var spool = try await scratch.open()
    let items = try await spool.storeSamples(presses: 41...42)
    await spool.close()
    spool = try await scratch.open()
    let model = bench.model(spool, scratch)
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
    let report = try #require(try await bench.model(spool, scratch).press(number: 5))
    #expect(report.page == PageReport(page, hasRegions: true))
    #expect(report.orientationSource == "gravity")
    let listed = try await bench.model(spool, scratch).presses(PressFilter()).presses
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
    let model = bench.model(spool, scratch)
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
    let model = bench.model(spool, scratch)
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
      try await bench.model(spool, scratch).shoot(PressSettings())
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
      receive: { photo, _ in await spool.storeSample(of: photo.press) })
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
    // The answer waits two seconds for the spool, and a busy machine takes longer.
    try await eventually {
      try await model.press(number: report.number)?.receipt?.remoteName == delivery.remoteName
    }
    let status = await model.status()
    #expect(status.presses.stored == 1)
    #expect(status.session.state == "running")
    #expect(status.session.size == SizeReport(width: 640, height: 360))
    running.cancel()
    _ = await running.result
    await spool.close()
  }
}
