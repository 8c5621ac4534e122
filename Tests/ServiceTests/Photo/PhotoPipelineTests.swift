import Devices
import Foundation
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import Capture
@testable import Service

/// The way from a press to the file on disk, read back by djpeg and exiftool.
@Suite struct PhotoPipelineTests {
  private static let size = FrameSize(width: 960, height: 540)
  private let scratch = ScratchSpool()

  /// Returns the samples of a binary graymap (`P5`) as djpeg writes it.
  private func luma(ofGraymap data: Data) throws -> [UInt8] {
    let expected = Self.size.area
    try #require(data.count > expected)
    return Array(data.suffix(expected))
  }

  @Test(arguments: [QuarterTurn.none, .clockwise90, .half, .clockwise270])
  func `the stored file is the chosen frame and upright`(_ turn: QuarterTurn) async throws {
    let bench = try await PipelineBench(scratch)
    bench.world.turn(to: turn)
    await bench.session.update(
      AccelerometerSample(
        acceleration: bench.world.position.acceleration, time: bench.world.clock.now))
    let number = try await bench.pressAhead()
    let record = try #require(await bench.session.outcome(of: number))
    guard case .stored(let photo) = record.outcome else {
      Issue.record("the press was refused: \(String(describing: record.outcome))")
      return
    }

    let graymap = try Tool.output(of: "djpeg", ["-grayscale", "-pnm", photo.path])
    let reading = PageSceneReader(size: Self.size).read(luma: try luma(ofGraymap: graymap))
    #expect(reading.frameNumber == record.frame.map { UInt32(truncatingIfNeeded: $0.id) })
    let tag = String(
      decoding: try Tool.output(of: "exiftool", ["-n", "-s3", "-Orientation", photo.path]),
      as: UTF8.self
    )
    #expect(
      reading.turnToUpright?.exifOrientation
        == Int(tag.trimmingCharacters(in: .whitespacesAndNewlines)))
    let findings = try Tool.output(
      of: "exiftool", ["-validate", "-warning", "-error", "-s3", photo.path])
    #expect(String(decoding: findings, as: UTF8.self).hasPrefix("OK"))

    // The stored file is offered for delivery, whole.
    let delivery = try #require(try await bench.spool.nextDelivery())
    #expect(delivery.sha256 == photo.sha256)
    #expect(delivery.metadata.pressNumber == number)
    #expect(try await bench.spool.verifyForDelivery(delivery.id) == .intact)
    await bench.stop()
  }

  /// The camera needs its memory for the next frames, however long the disk takes.
  @Test func `a frame is back in the camera while its picture waits for the disk`() async throws {
    let counter = LeaseCounter()
    let bench = try await PipelineBench(scratch, cameras: { counter.cameras(of: $0) })
    bench.hold()
    let number = try await bench.press()
    let disk = DispatchSemaphore(value: 0)
    let (begins, begun) = AsyncStream.makeStream(of: Void.self)
    let hanging = Task { [spool = bench.spool] in await spool.wait(for: disk, begun) }
    for await _ in begins { break }
    bench.letGo()
    try await eventually { counter.leases.taken > 0 && counter.leases.out == 0 }
    #expect(await bench.session.record(of: number)?.outcome == nil, "nothing can be stored yet")
    disk.signal()
    await hanging.value
    _ = try #require(try await bench.stored(number))
    #expect(counter.leases.out == 0)
    await bench.stop()
  }

  @Test func `a full spool refuses the press with its reason`() async throws {
    let spool = try await scratch.open()
    let numbers = try await spool.reservePressNumbers(count: 4)
    await spool.close()
    // The spool must leave more room free than any disk has.
    let full = try await scratch.open { $0.minimumFreeBytes = 1 << 60 }
    let pipeline = PhotoPipeline(rig: .test, spool: full, logger: .silent)
    let world = SimulatedWorld()
    let camera = try await SimulatedCameraSystem(world: world).open(
      try #require(world.cameraModels.first).id)
    let stream = try await camera.start(StreamConfiguration(size: Self.size, frameRate: 30))
    var lease: FrameLease?
    for await case .frame(let frame) in stream.events {
      lease = await camera.lease(frame.id)
      if lease != nil { break }
    }
    let frame = try #require(lease)
    let press = Press(number: numbers.lowerBound, source: .api, time: world.clock.now)
    var selector = FrameSelector(ringFrameCount: 4)
    _ = selector.frame(frame.info)
    let choice = selector.press(
      press.number, at: frame.info.exposureMidpoint, deadline: press.time)
    guard case .frame(let selection) = choice else {
      Issue.record("the only frame was not chosen: \(choice)")
      return
    }
    let outcome = await pipeline.process(
      CapturedPhoto(
        press: press, selection: selection, frame: frame, captureAngle: 0, camera: camera.identity,
        settings: ResolvedPhotoSettings(
          uniqueID: press.number, photoDimensions: Self.size, prioritization: .balanced,
          isFastCapture: false, expectedDeliveries: [.photo])))
    #expect(outcome == .refused(.storageFull))
    // The frame's memory is free already: neither the storage nor a remaining reference keeps it.
    #expect(throws: DeviceError.self) { try frame.withBytes { _ in } }
    await camera.stop()
    await camera.close()
    await full.close()
  }
}
