import API
import Capture
import Devices
import Foundation
import Glibc
import RigConfiguration
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import Service

/// Deferred processing, from the press to the final picture.
@Suite(.timeLimit(.minutes(10))) struct DeferredServiceTests {
  private let scratch = ScratchSpool()
  private let clock = ManualClock()
  private let image: ImageSection

  init() throws { image = try ImageSection.read("prioritization: quality, deferred: true") }

  private func bench(
    cameras: (any CameraSystem) -> any CameraSystem = { $0 }
  ) async throws -> PipelineBench {
    try await PipelineBench(scratch, image: image, cameras: cameras) {
      // Even a busy machine mostly leases the neighbors before the ring has moved on.
      $0.settings.frameRate = 5
      $0.maximumCapturesInFlight = 2
      $0.stream.ringFrameCount = 10
    }
  }

  /// Takes a picture whose neighbors the ring still had, as a busy machine may not.
  private func takePicture(
    _ bench: PipelineBench
  ) async throws -> (number: Int64, item: ItemRecord) {
    while true {
      let goal = await bench.session.currentStatus.frameCount + 12
      try await eventually { await bench.session.currentStatus.frameCount >= goal }
      let number = try await bench.press()
      if case .refused(.frameOverwritten)? = await bench.session.outcome(of: number)?.outcome {
        continue
      }
      let item = try #require(try await bench.stored(number))
      if item.metadata.singleFrame != .overwritten {
        return (number, item)
      }
    }
  }

  /// Runs the service until an item is no proxy, and moves its clock by steps meanwhile.
  private func finish(
    _ id: ItemID, in spool: Spool, isHot: Bool = false, by step: Duration = .seconds(5),
    until isDone: (ItemRecord?) -> Bool = { $0?.metadata.isProxy == false }
  ) async throws -> ItemRecord {
    let service = DeferredService(
      spool: spool, image: image, bootID: nil, clock: clock, logger: .silent,
      rig: { DeferralPolicy.Rig(isHot: isHot) })
    let running = Task { try await service.run() }
    try await eventually {
      if clock.sleeperCount > 0 { clock.advance(by: step) }
      return isDone(try await spool.item(id))
    }
    running.cancel()
    _ = await running.result
    return try #require(try await spool.item(id))
  }

  @Test func `a deferred picture is the average of its frames in the end`() async throws {
    let counter = LeaseCounter()
    let bench = try await bench { counter.cameras(of: $0) }
    let events = bench.session.events.listen(limit: 1024)
    let (number, proxy) = try await takePicture(bench)
    #expect(proxy.metadata.isProxy && proxy.metadata.prioritization == .balanced)
    #expect(proxy.metadata.averagedFrames == nil && proxy.metadata.singleFrame == nil)
    #expect(counter.leases.out == 0, "all frames are back in the camera")
    for await case .progress(let progress) in events {
      guard progress.uniqueID == number, case .photoDelivered(let delivery, _) = progress.step
      else { continue }
      #expect(delivery.finality == .proxy)
      break
    }
    let picture = try await finish(proxy.id, in: bench.spool)
    #expect(picture.sha256 != proxy.sha256 && picture.path == proxy.path)
    #expect(picture.metadata.averagedFrames ?? 0 > 1)
    #expect(picture.metadata.prioritization == .quality)
    let shown = try Tool.runHere("exiftool", ["-s3", "-XMP:OrientationSource", picture.path])
    #expect(shown.output == "fixed\n")
    #expect(picture.metadata.imageUniqueID == proxy.metadata.imageUniqueID)
    let entry = try #require(try await bench.spool.press(number))
    if case .stored(let photo)? = await bench.session.outcome(of: number)?.outcome {
      let report = PressReport(
        entry, photo: photo, pictures: PressReport.Pictures(first: picture), receipt: nil,
        record: nil)
      #expect(report.sha256 == picture.sha256)
    }
    let composite = try Tool.output(of: "exiftool", ["-n", "-s3", "-CompositeImage", picture.path])
    #expect(String(decoding: composite, as: UTF8.self) == "3\n")
    await bench.stop()
  }

  @Test func `a final picture that the disk refuses takes its place while the service runs`()
    async throws
  {
    let bench = try await bench()
    let proxy = try await takePicture(bench).item
    // No file takes the place of a directory.
    #expect(unlink(proxy.path) == 0 && mkdir(proxy.path, 0o755) == 0)
    let committed = try await finish(proxy.id, in: bench.spool)
    #expect(committed.sha256 != proxy.sha256 && committed.state == .stored)
    #expect(await bench.spool.persistentFailure == nil)
    #expect(rmdir(proxy.path) == 0)
    _ = try await finish(proxy.id, in: bench.spool) { item in
      let file = FileManager.default.contents(atPath: proxy.path)
      return file.map { Int64($0.count) } == item?.byteCount
    }
    await bench.stop()
  }

  @Test func `frames that find no place are averaged at once`() async throws {
    let bench = try await bench()
    for _ in 0..<24 { _ = try await bench.spool.beginSource(byteCount: 1) }
    let picture = try await takePicture(bench).item
    #expect(!picture.metadata.isProxy && picture.metadata.averagedFrames ?? 0 > 1)
    await bench.stop()
  }

  @Test(arguments: [false, true])
  func `a rig that stays hot keeps the proxy, and so do three failures`(isHot: Bool) async throws {
    let spool = try await scratch.open()
    let source = try await spool.beginSource(byteCount: 5)
    try await spool.write([1, 2, 3, 4, 5], to: source)
    var item = NewItem.sample(press: 1)
    item.source = source
    let id = try await spool.store(item).id
    let kept = try await finish(id, in: spool, isHot: isHot, by: .seconds(isHot ? 600 : 5))
    #expect(kept.metadata.singleFrame == (isHot ? SingleFrameReason.heat : .failed))
    #expect(try await spool.counts().keptProxies == 1)
    await spool.close()
  }
}
