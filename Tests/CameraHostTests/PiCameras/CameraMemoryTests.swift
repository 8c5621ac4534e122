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
    Fit(camera: "imx477", memory: 256, buffers: 9...11, leases: 4...4),
    Fit(camera: "imx708", memory: 256, buffers: 10...12, leases: 4...4),
    Fit(camera: "imx219", memory: 256, buffers: 14...14, leases: 4...4),
    Fit(camera: "imx477", memory: 512, buffers: 14...14, leases: 4...4),
    Fit(camera: "imx477", memory: 180, buffers: 4...6, leases: 1...1),
  ]

  @Test(arguments: fits) func `as many buffers as fit are used`(fit: Fit) async throws {
    let system = try Fixture.piCameras("vc4/\(fit.camera)", memory: fit.memory)
    let camera = try await system.openFirst()
    let size = try #require(camera.identity.largestSize)
    let stream = try await camera.start(
      StreamConfiguration(size: size, ringFrameCount: 6, leasedFrameCount: 4))
    #expect(fit.buffers.contains(stream.configuration.bufferCount))
    #expect(fit.leases.contains(stream.configuration.leasedFrameCount))
    #expect(await stream.events.frames(3).count == 3)
    await system.shutDown()
  }

  /// A failed attempt for lack of memory leaves no memory taken.
  @Test func `the next stream has all of the memory`() async throws {
    let system = try Fixture.piCameras("vc4/imx477", memory: 256)
    let camera = try await system.openFirst()
    let size = try #require(camera.identity.largestSize)
    let large = StreamConfiguration(size: size, leasedFrameCount: 4)
    for _ in 0..<3 {
      #expect((9...11).contains(try await camera.start(large).configuration.bufferCount))
      let small = StreamConfiguration(
        size: FrameSize(width: 1024, height: 768), leasedFrameCount: 4)
      #expect(try await camera.start(small).configuration.bufferCount == 14)
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
      #expect(before.configuration.bufferCount >= 9)
      await cameras[old].stop()
      let other = try #require(cameras[new].identity.largestSize)
      let after = try await cameras[new].start(
        StreamConfiguration(size: other, leasedFrameCount: 4))
      #expect(after.configuration.bufferCount >= 9)
      #expect(await after.events.frames(2).count == 2)
      await cameras[new].stop()
    }
    await system.shutDown()
  }
}
