import Capture
import Devices
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import Service

/// The page that a retake replaces, from the press to the sidecar.
@Suite(.timeLimit(.minutes(10))) struct RetakeTests {
  private let scratch = ScratchSpool()
  private let retake = PhotoSettings(replacesLastPhoto: true)

  @Test func `a retake replaces a page that is still being stored`() async throws {
    let bench = try await PipelineBench(scratch)
    let before = try await bench.press()
    let first = try #require(try await bench.stored(before))
    bench.hold()
    let page = try await bench.press()
    let second = try await bench.press(retake)
    bench.letGo()
    let replaced = try #require(try await bench.stored(page))
    let replacing = try #require(try await bench.stored(second))
    #expect(replacing.metadata.replacedItemID == replaced.id.description)
    #expect(replaced.metadata.replacedItemID == nil)
    #expect(first.metadata.replacedItemID == nil)
    await bench.stop()
  }

  @Test func `a retake after a refused retake replaces the page`() async throws {
    let bench = try await PipelineBench(scratch)
    let page = try await bench.press()
    let replaced = try #require(try await bench.stored(page))
    bench.refuse(page + 1)
    let refused = try await bench.press(retake)
    #expect(try await bench.stored(refused) == nil)
    let again = try await bench.press(retake)
    let replacing = try #require(try await bench.stored(again))
    #expect(replacing.metadata.replacedItemID == replaced.id.description)
    await bench.stop()
  }

  @Test func `a retake of a refused page replaces no page`() async throws {
    let log = RecordedLog()
    let bench = try await PipelineBench(scratch, logger: log.logger)
    let page = try await bench.press()
    _ = try #require(try await bench.stored(page))
    bench.refuse(page + 1)
    let refused = try await bench.press()
    #expect(try await bench.stored(refused) == nil)
    let replacing = try #require(try await bench.stored(try await bench.press(retake)))
    #expect(replacing.metadata.replacedItemID == nil)
    #expect(log.count("a retake replaces nothing") == 1)
    await bench.stop()
  }

  /// The assembled service replaces the newest picture of the run before, with each of its files.
  @Test func `the first retake of a run replaces the last picture of the run before`() async throws
  {
    let text = """
      rig: { id: rig-1 }
      board: simulated
      camera: {
        preset: document, frame_rate: 5, ring_frames: 20, stall_timeout: 60 s,
        maximum_wait: 60 s }
      image: { renditions: [thumbnail, document] }
      buttons: { redo: { line: REDO, single: retake } }
      spool: { directory: \(scratch.directory), minimum_free: 0 B }
      api: { socket: \(scratch.directory).sock }
      """
    let spool = try await scratch.open()
    let number = try await spool.reservePressNumbers(count: 1).lowerBound
    let page = try await spool.store(.sample(press: number))
    let service = try await AssembledService(text, spool: spool, log: RecordedLog())
    await service.becomeReady()
    service.world.press(for: .milliseconds(100), button: "redo")
    var retake: Int64?
    for await case .press(let record) in service.events where record.outcome != nil {
      retake = record.press.number
      break
    }
    let press = try #require(retake)
    let items = try await spool.recentItems(limit: 10).filter { $0.metadata.pressNumber == press }
    #expect(items.count == 3)
    #expect(items.allSatisfy { $0.metadata.replacedItemID == page.id.description })
    try await service.end()
  }
}
