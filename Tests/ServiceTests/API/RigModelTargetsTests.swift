import API
import Capture
import Devices
import RigConfiguration
import Spool
import TestSupport
import Testing
import Upload

@testable import Service

/// A technician's requests about the targets.
@Suite(.timeLimit(.minutes(10))) struct RigModelTargetsTests {
  private let bench = ServiceBench()
  private let scratch = ScratchSpool()

  private func model(
    _ spool: Spool, _ target: AnsweringTarget
  ) throws -> (model: RigModel, uploader: Uploader) {
    let uploader = Uploader(
      queue: SpoolDeliveryQueue(spool: spool, target: .primary), target: target,
      policy: UploadPolicy(
        retry: RetryPolicy(base: .seconds(3600)), parallelDeliveries: 1, startJitter: .zero),
      time: .following(bench.clock, wallNanoseconds: 0), random: { 0.5 },
      logger: bench.log.logger)
    let section = try #require(
      try PlatenConfiguration.parse(
        """
        rig: { id: rig-1 }
        board: linux
        spool: { directory: /spool }
        targets: { primary: { kind: webdav, url: "http://server/dav" } }
        """, file: "platen.yaml"
      ).targets.first)
    let model = RigModel(
      rigID: "rig-1", board: .simulated, session: bench.session, spool: spool,
      spoolConfiguration: scratch.configuration,
      targets: [
        TargetFactory.Product(section: section, url: "http://server/dav", uploader: uploader)
      ], monitor: bench.monitor, indicatorNames: [:], world: bench.world, clock: bench.clock,
      startedAt: bench.clock.now)
    return (model, uploader)
  }

  @Test func `a retry ends a wait of an hour`() async throws {
    let spool = try await scratch.open()
    _ = try await spool.store(.sample(press: 1))
    let target = AnsweringTarget()
    let (model, uploader) = try model(spool, target)
    let events = uploader.events.listen()
    let running = Task { await uploader.run() }
    var news = events.makeAsyncIterator()
    while case .began? = await news.next() { break }
    target.answer(
      .refuse(Upload.DeliveryFailure(.unreachable, scope: .target, text: "the server is away")))
    while let event = await news.next() {
      if case .failed = event { break }
    }
    await bench.clock.untilSleepers(1)
    await #expect(throws: APIError.self) { try await model.retryTargets("moon") }
    let report = try await model.retryTargets("primary")
    #expect(report.targets == ["primary"])
    // The clock has not moved.
    while let event = await news.next() {
      if case .began = event { break }
    }
    running.cancel()
    await running.value
    await spool.close()
  }

  @Test func `uploads can be paused and resumed`() async throws {
    let spool = try await scratch.open()
    let (model, _) = try model(spool, AnsweringTarget())
    let paused = await model.setUploadsPaused(true)
    #expect(paused.arePaused)
    #expect(await bench.monitor.snapshot.upload == .paused)
    let resumed = await model.setUploadsPaused(false)
    #expect(!resumed.arePaused)
    #expect(await bench.monitor.snapshot.upload == .idle)
    await spool.close()
  }

  @Test func `a target shows that it has refused pictures`() async throws {
    let spool = try await scratch.open()
    let (model, _) = try model(spool, AnsweringTarget())
    let events = await model.events()
    await bench.monitor.begin(.parked("primary"))
    #expect(await model.status().targets.map(\.faults) == [["deliveryParked"]])
    await bench.monitor.end(.parked("primary"))
    #expect(await model.status().targets.map(\.faults) == [[]])
    bench.monitor.changes.finish()
    let all: [RigEvent] = await events.reduce(into: []) { $0.append($1) }
    #expect(all.map(\.kind) == [.targets, .targets])
    await spool.close()
  }

  @Test func `a rig without a tester refuses tests`() async throws {
    let spool = try await scratch.open()
    let (model, _) = try model(spool, AnsweringTarget())
    await #expect(throws: APIError.self) { try await model.testStorage(StorageTestRequest()) }
    await spool.close()
  }
}
