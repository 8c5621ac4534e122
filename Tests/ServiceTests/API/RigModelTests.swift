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

  @Test func `the rig does the work of every operation`() async throws {
    let model = bench.model(try await scratch.open(), scratch)
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

  @Test func `a thumbnail comes from another file of the exposure where the picture has none`()
    async throws
  {
    let spool = try await scratch.open()
    let model = bench.model(spool, scratch)
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
    let items = try await spool.storeSamples(presses: 1...3)
    let model = bench.model(spool, scratch)
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
    var model = bench.model(spool, scratch)
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
    let model = bench.model(
      spool, scratch,
      targets: [TargetFactory.Product(section: section, url: url, uploader: uploader)])
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

  @Test func `the status shows the faults of a button and the state of a light`() async throws {
    let spool = try await scratch.open()
    let model = bench.model(spool, scratch)
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
}
