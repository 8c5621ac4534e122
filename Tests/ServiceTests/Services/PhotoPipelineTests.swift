import Capture
import Devices
import Foundation
import Logging
import Service
import SimulatedDevices
import Spool
import Testing
import TestSupport

/// The way from a press to the file on disk, read back by djpeg and exiftool.
@Suite struct PhotoPipelineTests {
  private static let size = FrameSize(width: 960, height: 540)

  /// Returns the samples of a binary graymap (`P5`) as djpeg writes it.
  private func luma(ofGraymap data: Data) throws -> [UInt8] {
    let expected = Self.size.area
    try #require(data.count > expected)
    return Array(data.suffix(expected))
  }

  @Test(arguments: [QuarterTurn.none, .clockwise90, .half, .clockwise270])
  func `the stored file is the chosen frame and upright`(_ turn: QuarterTurn) async throws {
    let place = TemporaryDirectory()
    defer { withExtendedLifetime(place) {} }
    let directory = place.path + "/spool"
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let spool = try await Spool.open(
      SpoolConfiguration(directory: directory, rigID: "test", minimumFreeBytes: 1 << 20),
      logger: logger)
    let pipeline = PhotoPipeline(
      rig: PhotoPipeline.Rig(
        id: "test", make: "Platen", model: "Test", software: "Platen", bootID: nil),
      spool: spool, logger: logger)
    let world = SimulatedWorld()
    world.turn(to: turn)
    let session = CaptureSession(
      configuration: .patient(Self.size),
      cameras: SimulatedCameraSystem(world: world),
      numbers: PressNumbers { try await spool.reservePressNumbers(count: $0) },
      clock: world.clock, logger: logger, receive: { await pipeline.process($0, deliver: $1) })
    let events = session.events.listen(limit: 1024)
    let running = Task { try await session.run() }
    for await case .readiness(let readiness) in events where readiness.state == .ready { break }
    await session.update(
      AccelerometerSample(acceleration: world.position.acceleration, time: world.clock.now))

    // The press is ahead of now, so that the exposure comes after the reading.
    let number = try await session.press(
      at: world.clock.now.advanced(by: .milliseconds(200)), source: .button)
    let record = try #require(await session.outcome(of: number))
    guard case .stored(let photo) = record.outcome else {
      Issue.record("the press was refused: \(String(describing: record.outcome))")
      return
    }
    running.cancel()
    _ = await running.result

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
    let delivery = try #require(try await spool.nextDelivery())
    #expect(delivery.sha256 == photo.sha256)
    #expect(delivery.metadata.pressNumber == number)
    #expect(try await spool.verifyForDelivery(delivery.id) == .intact)
    await spool.close()
  }

  @Test func `a full spool refuses the press with its reason`() async throws {
    let place = TemporaryDirectory()
    defer { withExtendedLifetime(place) {} }
    let directory = place.path + "/spool"
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let spool = try await Spool.open(
      SpoolConfiguration(directory: directory, rigID: "test", minimumFreeBytes: 1 << 20),
      logger: logger)
    let numbers = try await spool.reservePressNumbers(count: 4)
    await spool.close()
    // The spool must leave more room free than any disk has.
    let full = try await Spool.open(
      SpoolConfiguration(directory: directory, rigID: "test", minimumFreeBytes: 1 << 60),
      logger: logger)
    let pipeline = PhotoPipeline(
      rig: PhotoPipeline.Rig(
        id: "test", make: "Platen", model: "Test", software: "Platen", bootID: nil),
      spool: full, logger: logger)
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
