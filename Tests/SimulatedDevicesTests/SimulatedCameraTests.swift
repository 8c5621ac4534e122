import Devices
import TestSupport
import Testing

@testable import SimulatedDevices

/// A running camera on a clock that the test moves.
struct CameraBench {
  let clock = ManualClock()
  let world: SimulatedWorld
  let system: SimulatedCameraSystem
  let id: CameraDescription.ID

  init(model: SimulatedCameraModel = SimulatedCameraModel(startUpFrames: 0)) {
    world = SimulatedWorld(clock: clock, cameraModels: [model])
    system = SimulatedCameraSystem(world: world)
    id = model.id
  }

  static let size = FrameSize(width: 320, height: 180)

  func start(
    frameRate: Double = 25, pixelFormats: [PixelFormat] = [.yuv420], ring: Int = 4, leased: Int = 2
  ) async throws -> (any Camera, CameraStream) {
    let camera = try await system.open(id)
    let stream = try await camera.start(
      StreamConfiguration(
        size: CameraBench.size, pixelFormats: pixelFormats, frameRate: frameRate,
        ringFrameCount: ring, leasedFrameCount: leased))
    return (camera, stream)
  }

  /// Moves the clock until the camera has sent an event.
  func next(
    _ events: inout CameraEvents.Iterator, after duration: Duration
  ) async -> CameraEvent? {
    await clock.run(for: duration)
    return await events.next(isolation: nil)
  }
}

@Suite struct SimulatedCameraTests {
  private let frame = Duration.milliseconds(40)

  private func info(_ event: CameraEvent?) throws -> FrameInfo {
    guard case .frame(let info) = event else {
      Issue.record("\(String(describing: event)) is no frame")
      throw DeviceError(.inputOutput, device: "test", problem: "got no frame")
    }
    return info
  }

  @Test func `frames are paced and stamped`() async throws {
    let bench = CameraBench()
    let start = bench.clock.now
    let (camera, stream) = try await bench.start()
    #expect(stream.configuration.frameDuration == frame)
    var events = stream.events.makeAsyncIterator()
    await bench.clock.run(for: .milliseconds(159))
    #expect(bench.world.deliveredFrames().isEmpty)
    for number in 0..<10 {
      let info = try info(await bench.next(&events, after: number == 0 ? .milliseconds(1) : frame))
      #expect(info.id == UInt64(number + 1))
      #expect(info.sequence == UInt64(number))
      #expect(info.timestamp == start.advanced(by: frame * (number + 1)))
      #expect(info.exposureDuration == .milliseconds(10))
      #expect(info.readoutDuration == .microseconds(8_100))
      #expect(info.frameDuration == frame)
      #expect(info.isoSpeed == 150)
      #expect(info.timestamp.duration(to: bench.clock.now) == frame * 3)
    }
    await camera.close()
    #expect(await events.next(isolation: nil) == nil)
  }

  @Test(arguments: [PixelFormat.yuv420, .nv12, .rgb, .bgr])
  func `the picture contains its frame number`(pixelFormat: PixelFormat) async throws {
    let bench = CameraBench()
    bench.world.showPage(12)
    let (camera, stream) = try await bench.start(pixelFormats: [pixelFormat])
    var events = stream.events.makeAsyncIterator()
    _ = await bench.next(&events, after: .milliseconds(160))
    for turn in QuarterTurn.allCases {
      bench.world.turn(to: turn)
      var last: FrameInfo?
      // The frames that were exposed before the turn are still in the pipeline.
      for _ in 0..<5 { last = try info(await bench.next(&events, after: frame)) }
      let id = try #require(last?.id)
      let lease = try #require(await camera.lease(id))
      let reading = try PageSceneReader.read(lease)
      #expect(reading.frameNumber == UInt32(lease.info.id))
      #expect(reading.turnToUpright == turn)
      #expect(reading.page == 12)
    }
    await camera.close()
  }

  @Test func `a frame shows the scene in the middle of its exposure`() async throws {
    let bench = CameraBench()
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    _ = await bench.next(&events, after: .milliseconds(170))
    bench.world.showPage(2)
    let change = bench.clock.now
    var pages: [Int?] = []
    for _ in 0..<6 {
      let info = try info(await bench.next(&events, after: frame))
      let lease = try #require(await camera.lease(info.id))
      let page = try PageSceneReader.read(lease).page
      #expect(page == (info.exposureMidpoint < change ? 1 : 2))
      pages.append(page)
    }
    // Frames in the pipeline during the turn of the page still show the old page.
    #expect(pages == [1, 1, 1, 2, 2, 2])
    await camera.close()
  }

  @Test func `a mounted camera turns its pictures`() async throws {
    var model = SimulatedCameraModel(startUpFrames: 0)
    model.mounting = .clockwise90
    #expect(model.description.mountingRotation == 270)
    let bench = CameraBench(model: model)
    bench.world.turn(to: .clockwise90)
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    let info = try info(await bench.next(&events, after: .milliseconds(160)))
    let lease = try #require(await camera.lease(info.id))
    #expect(try PageSceneReader.read(lease).turnToUpright == .half)
    await camera.close()
  }

  @Test func `the ring moves on and leases stay`() async throws {
    let bench = CameraBench()
    let (camera, stream) = try await bench.start(ring: 3)
    var events = stream.events.makeAsyncIterator()
    let first = try info(await bench.next(&events, after: .milliseconds(160)))
    let lease = try #require(await camera.lease(first.id))
    let second = try info(await bench.next(&events, after: frame))
    for _ in 0..<3 { _ = await bench.next(&events, after: frame) }
    #expect(await camera.lease(first.id) == nil)
    #expect(await camera.lease(second.id) == nil)
    #expect(await camera.lease(second.id + 1) != nil)
    #expect(try PageSceneReader.read(lease).frameNumber == UInt32(first.id))
    await camera.close()
  }

  @Test func `a lease outlives stop, restart and close, and numbers go on`() async throws {
    let bench = CameraBench()
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    let first = try info(await bench.next(&events, after: .milliseconds(160)))
    let lease = try #require(await camera.lease(first.id))
    await camera.stop()
    #expect(await events.next(isolation: nil) == nil)
    #expect(await camera.lease(first.id) == nil)
    let again = try await camera.start(StreamConfiguration(size: CameraBench.size, frameRate: 25))
    var newEvents = again.events.makeAsyncIterator()
    let second = try info(await bench.next(&newEvents, after: .milliseconds(160)))
    #expect(second.id > first.id)
    #expect(second.sequence == 0)
    await camera.close()
    #expect(try PageSceneReader.read(lease).frameNumber == UInt32(first.id))
    #expect(lease.buffer.fileDescriptor >= 0)
    #expect(lease.buffer.byteCount == lease.format.byteCount)
  }

  @Test func `a camera starves when all buffers are leased, and recovers`() async throws {
    let bench = CameraBench()
    let (camera, stream) = try await bench.start(ring: 2, leased: 1)
    #expect(stream.configuration.bufferCount == 3)
    var events = stream.events.makeAsyncIterator()
    var leases: [FrameLease] = []
    for number in 0..<3 {
      let info = try info(
        await bench.next(&events, after: number == 0 ? .milliseconds(160) : frame))
      leases.append(try #require(await camera.lease(info.id)))
    }
    #expect(await bench.next(&events, after: frame) == .starved)
    await bench.clock.run(for: frame * 2)
    let free = leases.removeFirst().info.id
    #expect(free == 1)
    #expect(await events.next(isolation: nil) == .replenished)
    let info = try info(await bench.next(&events, after: frame))
    #expect(info.sequence == 6)
    #expect(info.id == 4)
    leases = []
    await camera.close()
  }

  @Test func `a new frame rate arrives after the control delay`() async throws {
    let bench = CameraBench()
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    _ = await bench.next(&events, after: .milliseconds(160))
    #expect(try await camera.setFrameRate(10) == .milliseconds(100))
    var durations: [Duration?] = []
    for _ in 0..<8 {
      durations.append(try info(await bench.next(&events, after: .milliseconds(100))).frameDuration)
    }
    // Frames 1...3 are exposed already, and 4...6 belong to the delay.
    #expect(durations == [40, 40, 40, 40, 40, 40, 100, 100].map { .milliseconds($0) })
    // The sensor mode for such small pictures has 120 frames a second.
    #expect(try await camera.setFrameRate(1e6) == .microseconds(8333))
    #expect(try await camera.setFrameRate(0.001) == .seconds(10))
    await #expect(throws: DeviceError.self) { try await camera.setFrameRate(0) }
    await #expect(throws: DeviceError.self) { try await camera.setFrameRate(.nan) }
    await camera.stop()
    await #expect(throws: DeviceError.self) { try await camera.setFrameRate(10) }
    await camera.close()
  }

  @Test func `a new exposure arrives after the control delay`() async throws {
    let bench = CameraBench(
      model: SimulatedCameraModel(startUpFrames: 0, settlingFrames: 1))
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    _ = await bench.next(&events, after: .milliseconds(160))
    bench.world.expose(for: .milliseconds(20), gain: 3)
    // Once the camera has noticed the light, it sleeps again.
    var exposures: [Duration?] = []
    for _ in 0..<7 {
      exposures.append(try info(await bench.next(&events, after: frame)).exposureDuration)
    }
    #expect(exposures == [10, 10, 10, 10, 10, 20, 20].map { .milliseconds($0) })
    await camera.close()
  }

  @Test func `start-up frames are swallowed once`() async throws {
    let bench = CameraBench(model: SimulatedCameraModel(startUpFrames: 4))
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    let cold = try info(await bench.next(&events, after: frame * 8))
    #expect(cold.sequence == 4)
    #expect(cold.id == 1)
    let again = try await camera.start(StreamConfiguration(size: CameraBench.size, frameRate: 25))
    events = again.events.makeAsyncIterator()
    #expect(try info(await bench.next(&events, after: frame * 4)).sequence == 0)
    await camera.close()
  }

  @Test func `the largest size can be streamed`() async throws {
    let bench = CameraBench()
    let camera = try await bench.system.open(bench.id)
    let stream = try await camera.start(
      StreamConfiguration(
        size: FrameSize(width: 4608, height: 2592), ringFrameCount: 2, leasedFrameCount: 1))
    var events = stream.events.makeAsyncIterator()
    let info = try info(await bench.next(&events, after: .milliseconds(300)))
    #expect(info.readoutDuration == .microseconds(68_900))
    let lease = try #require(await camera.lease(info.id))
    #expect(try PageSceneReader.read(lease).frameNumber == 1)
    await camera.close()
  }

  @Test func `a dropped camera ends its stream and its claim`() async throws {
    let bench = CameraBench()
    var opened: (any Camera, CameraStream)? = try await bench.start()
    let events = try #require(opened).1.events
    opened = nil
    for await _ in events {}
    // The claim ends with the actor, whose last reference may be in its loop for a moment.
    var reopened: (any Camera)?
    try await eventually {
      reopened = try? await bench.system.open(bench.id)
      return reopened != nil
    }
    await reopened?.close()
  }
}
