import CameraHost
import Devices
import Testing

/// Contiguous memory, of which small boards have little.
@Suite(.timeLimit(.minutes(5))) struct CameraMemoryTests {
  /// A camera in its largest size, and the buffers that fit a memory in MiB.
  ///
  /// The driver needs four raw frames beside them, or two if a raw stream sets the mode (before
  /// libcamera 0.2).
  struct Fit: Sendable, CustomTestStringConvertible {
    var camera: String
    var memory: Int
    var buffers: ClosedRange<Int>
    var leases: ClosedRange<Int>
    var testDescription: String { "\(camera) in \(memory) MiB" }
  }

  static let fits = [
    Fit(camera: "imx477", memory: 256, buffers: 8...8, leases: 4...4),
    Fit(camera: "imx708", memory: 256, buffers: 8...8, leases: 4...4),
    Fit(camera: "imx219", memory: 256, buffers: 8...8, leases: 4...4),
    Fit(camera: "imx477", memory: 200, buffers: 5...8, leases: 1...4),
    Fit(camera: "imx477", memory: 180, buffers: 4...6, leases: 1...2),
    Fit(camera: "imx477", memory: 160, buffers: 3...5, leases: 1...1),
  ]

  @Test(arguments: fits) func `as many buffers as fit are used`(fit: Fit) async throws {
    let system = try Fixture.piCameras("vc4/\(fit.camera)", memory: fit.memory)
    let camera = try await system.openFirst()
    let size = try #require(camera.identity.largestSize)
    let stream = try await camera.start(StreamConfiguration(size: size, leasedFrameCount: 4))
    let buffers = stream.configuration.bufferCount
    let leases = stream.configuration.leasedFrameCount
    #expect(fit.buffers.contains(buffers))
    #expect(fit.leases.contains(leases))
    // Four buffers stay with the ring, as long as another lease is left.
    #expect(leases == max(1, min(4, buffers - 4)))
    var held: [FrameLease] = []
    while held.count < leases { held.append(try #require(await camera.leaseNext(of: stream))) }
    var frames = 0
    for await event in stream.events {
      if case .starved = event { Issue.record("starved with \(leases) of \(buffers) leased") }
      if case .frame = event { frames += 1 }
      if frames == 6 { break }
    }
    #expect(held.count == leases)
    await system.shutDown()
  }

  /// Requests wait for buffers instead, so that a press beside two others still has its frame.
  @Test func `the ring is whole while two frames are in use`() async throws {
    let system = try Fixture.piCameras("vc4/imx477", memory: 256)
    let camera = try await system.openFirst()
    let stream = try await camera.start(
      StreamConfiguration(
        size: FrameSize(width: 640, height: 480), frameRate: 10, leasedFrameCount: 4))
    #expect(stream.configuration.bufferCount == 8)
    #expect(stream.configuration.adjustments.allSatisfy { !$0.contains("memory") })
    var held: [FrameLease] = []
    while held.count < 2 { held.append(try #require(await camera.leaseNext(of: stream))) }
    let last = held[1].info.id
    // An event that a busy machine reads late proves nothing.
    var isWhole = false
    for await case .frame(let frame) in stream.events where frame.id > last + 8 {
      isWhole = await camera.lease(frame.id - 3) != nil
      if isWhole { break }
    }
    #expect(isWhole)
    #expect(held.allSatisfy { $0.info.id <= last })
    await system.shutDown()
  }

  /// A failed attempt for lack of memory leaves no memory taken.
  @Test func `the next stream has all of the memory`() async throws {
    let system = try Fixture.piCameras("vc4/imx477", memory: 180)
    let camera = try await system.openFirst()
    let size = try #require(camera.identity.largestSize)
    let large = StreamConfiguration(size: size, leasedFrameCount: 4)
    for _ in 0..<3 {
      #expect((4...6).contains(try await camera.start(large).configuration.bufferCount))
      let small = StreamConfiguration(
        size: FrameSize(width: 1024, height: 768), leasedFrameCount: 4)
      #expect(try await camera.start(small).configuration.bufferCount == 8)
    }
    await system.shutDown()
  }

  @Test func `too little memory for any stream is an error`() async throws {
    let system = try Fixture.piCameras("vc4/imx477", memory: 100)
    let camera = try await system.openFirst()
    let size = try #require(camera.identity.largestSize)
    let error = await #expect(throws: DeviceError.self) {
      try await camera.start(StreamConfiguration(size: size))
    }
    #expect(error?.code == .outOfMemory)
    let small = StreamConfiguration(size: FrameSize(width: 640, height: 480))
    #expect(await (try camera.start(small)).events.frames(3).count == 3)
    await system.shutDown()
  }

  /// The old camera is stopped and stays open as a fallback: its memory is released first.
  @Test func `a switch of cameras has the memory of both`() async throws {
    let system = try Fixture.piCameras("vc4/imx477", "vc4/imx708", memory: 256)
    let found = try await system.cameras()
    var cameras: [any Camera] = []
    for description in found { cameras.append(try await system.open(description.id)) }
    for (old, new) in [(0, 1), (1, 0), (0, 1)] {
      let size = try #require(cameras[old].identity.largestSize)
      let before = try await cameras[old].start(
        StreamConfiguration(size: size, leasedFrameCount: 4))
      #expect(before.configuration.bufferCount == 8)
      await cameras[old].stop()
      let other = try #require(cameras[new].identity.largestSize)
      let after = try await cameras[new].start(
        StreamConfiguration(size: other, leasedFrameCount: 4))
      #expect(after.configuration.bufferCount == 8)
      #expect(await after.events.frames(2).count == 2)
      await cameras[new].stop()
    }
    await system.shutDown()
  }

  /// A USB camera streams from its driver's own memory, of which there is as much as is wanted.
  @Test func `a USB camera takes no contiguous memory`() async throws {
    let system = try Fixture.piCameras("uvc/document", "vc4/imx477", memory: 256)
    let found = try await system.cameras()
    var running: [(camera: any Camera, stream: CameraStream)] = []
    // The USB camera is first, and goes on while the other one starts.
    for isUSB in [true, false] {
      let description = try #require(found.first { $0.id.contains("usb") == isUSB })
      let camera = try await system.open(description.id)
      let size = try #require(description.largestSize)
      let stream = try await camera.start(StreamConfiguration(size: size, leasedFrameCount: 4))
      #expect(await stream.events.frames(3).count == 3)
      running.append((camera, stream))
    }
    for (_, stream) in running {
      #expect(stream.configuration.leasedFrameCount == 4)
      #expect(stream.configuration.bufferCount == 8)
    }
    for (camera, _) in running { await camera.close() }
    await system.shutDown()
  }
}
