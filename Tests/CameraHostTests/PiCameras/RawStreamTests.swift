import CameraHost
import Devices
import Testing

/// Raw frames beside the processed ones, as the pipelines of Raspberry Pis give them.
@Suite(.timeLimit(.minutes(5))) struct RawStreamTests {
  /// A camera with the raw frames of its largest mode.
  struct Kind: Sendable, CustomTestStringConvertible {
    var name: String
    var format: RawFormat
    var size: FrameSize
    var bytesPerRow: Int
    var testDescription: String { name }
  }

  // The sensors turn the picture, and so the order of the colors; the OV5647 is not turned.
  static let kinds = [
    Kind(
      name: "vc4/imx219", format: RawFormat(mosaic: .bggr, bitDepth: 10, packing: .csi2),
      size: FrameSize(width: 3280, height: 2464), bytesPerRow: 4128),
    Kind(
      name: "vc4/imx477", format: RawFormat(mosaic: .bggr, bitDepth: 12, packing: .csi2),
      size: FrameSize(width: 4056, height: 3040), bytesPerRow: 6112),
    Kind(
      name: "vc4/ov5647", format: RawFormat(mosaic: .gbrg, bitDepth: 10, packing: .csi2),
      size: FrameSize(width: 2592, height: 1944), bytesPerRow: 3264),
    Kind(
      name: "pisp/imx708", format: RawFormat(mosaic: .bggr, bitDepth: 16, packing: .none),
      size: FrameSize(width: 4608, height: 2592), bytesPerRow: 9216),
  ]

  private func configuration(_ size: FrameSize) -> StreamConfiguration {
    var wanted = StreamConfiguration(size: size)
    wanted.wantsRaw = true
    return wanted
  }

  @Test(arguments: kinds)
  func `a lease has the raw frame of its exposure`(kind: Kind) async throws {
    let system = try Fixture.piCameras(kind.name)
    let camera = try await system.openFirst()
    #expect(await camera.capabilities.rawFormat == kind.format)
    let wanted = configuration(kind.size)
    let layout = RawStreamFormat(
      format: kind.format, size: kind.size, bytesPerRow: kind.bytesPerRow)
    #expect(try await camera.resolve(wanted).raw == layout)
    let stream = try await camera.start(wanted)
    #expect(stream.configuration.raw == layout)
    #expect(!stream.configuration.adjustments.contains(ResolvedStreamConfiguration.noRaw))
    for _ in 0..<3 {
      let lease = try #require(await camera.leaseNext(of: stream))
      let raw = try #require(lease.raw)
      #expect(raw.format == layout)
      // These raw frames begin with their number.
      let number = try lease.withRawBytes { bytes, _ in UInt64(bytes[0]) | UInt64(bytes[1]) << 8 }
      #expect(number == lease.info.sequence & 0xFFFF)
      #expect(raw.memory.byteCount >= layout.byteCount)
      let scale = Double(1 << kind.format.bitDepth) / 65_536
      #expect(raw.properties.blackLevels.sorted() == [4096, 4112, 4128, 4144].map { $0 * scale })
      #expect(abs(raw.properties.neutral[0] - 1 / 1.8) < 1e-6)
      #expect(raw.properties.colorMatrix.count == 9)
      lease.end()
    }
    await system.shutDown()
  }

  @Test func `a small picture has the raw frames of its mode`() async throws {
    let system = try Fixture.piCameras("vc4/imx708")
    let camera = try await system.openFirst()
    let stream = try await camera.start(configuration(FrameSize(width: 1920, height: 1080)))
    #expect(stream.configuration.raw?.size == FrameSize(width: 2304, height: 1296))
    #expect(stream.configuration.format.size == FrameSize(width: 1920, height: 1080))
    // The next stream has none again.
    let plain = try await camera.start(
      StreamConfiguration(size: FrameSize(width: 1920, height: 1080)))
    #expect(plain.configuration.raw == nil)
    #expect(try #require(await camera.leaseNext(of: plain)).raw == nil)
    await system.shutDown()
  }

  @Test func `a camera on a cable gives no raw frames and says so`() async throws {
    let system = try Fixture.piCameras("uvc/webcam")
    let camera = try await system.openFirst()
    #expect(await camera.capabilities.rawFormat == nil)
    let stream = try await camera.start(configuration(FrameSize(width: 1280, height: 720)))
    #expect(stream.configuration.raw == nil)
    #expect(stream.configuration.adjustments.contains(ResolvedStreamConfiguration.noRaw))
    #expect(try #require(await camera.leaseNext(of: stream)).raw == nil)
    await system.shutDown()
  }

  /// An IMX477 has 18.7 MB in each processed frame and 18.6 MB in each raw one.
  @Test(arguments: [(508, 9...9), (320, 7...8)])
  func `short memory is shared by both kinds of frames`(
    mebibytes: Int, buffers: ClosedRange<Int>
  ) async throws {
    let system = try Fixture.piCameras("vc4/imx477", memory: mebibytes)
    let camera = try await system.openFirst()
    let size = try #require(camera.identity.largestSize)
    let stream = try await camera.start(configuration(size))
    #expect(stream.configuration.raw != nil)
    #expect(buffers.contains(stream.configuration.bufferCount))
    let lease = try #require(await camera.leaseNext(of: stream))
    #expect(lease.raw != nil)
    await system.shutDown()
  }

  /// In 256 MiB there is room for six of both, which would leave a press no ring.
  @Test(arguments: [256, 160])
  func `pictures without raw frames are better than none`(mebibytes: Int) async throws {
    let system = try Fixture.piCameras("vc4/imx477", memory: mebibytes)
    let camera = try await system.openFirst()
    let size = try #require(camera.identity.largestSize)
    let stream = try await camera.start(configuration(size))
    #expect(stream.configuration.raw == nil)
    #expect(stream.configuration.adjustments.contains { $0.contains("no memory for raw frames") })
    #expect(await camera.leaseNext(of: stream) != nil)
    await system.shutDown()
  }
}
