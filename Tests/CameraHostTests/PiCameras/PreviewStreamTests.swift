import CameraHost
import Devices
import TestSupport
import Testing

/// Previews from the second output of a Raspberry Pi's image processor.
@Suite(.timeLimit(.minutes(5))) struct PreviewStreamTests {
  private static let size = FrameSize(width: 1920, height: 1080)

  private func configuration(_ size: FrameSize, wantsRaw: Bool = false) -> StreamConfiguration {
    var wanted = StreamConfiguration(size: size)
    wanted.previewWidth = 1024
    wanted.wantsRaw = wantsRaw
    return wanted
  }

  @Test(arguments: ["vc4/imx219", "vc4/ov5647", "pisp/imx708"], [false, true])
  func `a preview shows the moment of its frame`(name: String, wantsRaw: Bool) async throws {
    let system = try Fixture.piCameras(name)
    let camera = try await system.openFirst()
    let wanted = configuration(Self.size, wantsRaw: wantsRaw)
    let stream = try await camera.start(wanted)
    let format = StreamFormat(
      size: FrameSize(width: 960, height: 540), pixelFormat: .yuv420,
      bytesPerRow: name.hasPrefix("pisp") ? 1024 : 960, colorSpace: .jpeg)
    #expect(stream.configuration.preview == format)
    #expect((stream.configuration.raw != nil) == wantsRaw)
    for _ in 0..<3 {
      let lease = try #require(await camera.leaseNext(of: stream))
      #expect(lease.preview?.format == format)
      #expect((lease.raw != nil) == wantsRaw)
      #expect(try lease.differenceOfPreview() == 0)
      // The level of the first field changes with the number.
      let level = try lease.withPicture(ofAtLeast: format.size) { bytes, _ in UInt64(bytes[0]) }
      #expect(level == lease.info.sequence * 59 % 256)
      lease.end()
    }
    await system.shutDown()
  }

  @Test(arguments: [
    (FrameSize(width: 4056, height: 3040), FrameSize(width: 1024, height: 768)),
    (FrameSize(width: 1024, height: 768), FrameSize(width: 512, height: 384)),
  ])
  func `a preview has the shape of its frame and half of the width at most`(
    frame: FrameSize, preview: FrameSize
  ) async throws {
    let system = try Fixture.piCameras("vc4/imx477")
    let camera = try await system.openFirst()
    let resolved = try await camera.resolve(configuration(frame))
    #expect(resolved.format.size == frame)
    #expect(resolved.preview?.size == preview)
    await system.shutDown()
  }

  @Test(arguments: ["uvc/webcam", "vc4/imx219/180/wide"])
  func `a second stream that is not there, or changes the first one, is left out`(
    name: String
  ) async throws {
    let system = try Fixture.piCameras(name)
    let camera = try await system.openFirst()
    let wanted = configuration(FrameSize(width: 1280, height: 720))
    var plain = wanted
    plain.previewWidth = nil
    let without = try await camera.start(plain).configuration
    let stream = try await camera.start(wanted)
    #expect(stream.configuration == without)
    #expect(try #require(await camera.leaseNext(of: stream)).preview == nil)
    await system.shutDown()
  }

  /// Memory for a camera's frames, which an IMX477's previews fit into or not.
  struct Fit: Sendable, CustomTestStringConvertible {
    var mebibytes: Int
    var wantsRaw = false
    var hasPreview: Bool
    var hasRaw = false
    var testDescription: String { "\(mebibytes) MiB, \(wantsRaw ? "with raw frames" : "plain")" }
  }

  /// Frames and raw frames have 18.6 MB each, previews 1.2 MB.
  @Test(arguments: [
    Fit(mebibytes: 256, hasPreview: true), Fit(mebibytes: 200, hasPreview: false),
    Fit(mebibytes: 508, wantsRaw: true, hasPreview: true, hasRaw: true),
    Fit(mebibytes: 320, wantsRaw: true, hasPreview: false, hasRaw: true),
    Fit(mebibytes: 256, wantsRaw: true, hasPreview: true),
  ])
  func `previews cost no frame's memory`(fit: Fit) async throws {
    let system = try Fixture.piCameras("vc4/imx477", memory: fit.mebibytes)
    let camera = try await system.openFirst()
    let wanted = configuration(
      try #require(camera.identity.largestSize), wantsRaw: fit.wantsRaw)
    var plain = wanted
    plain.previewWidth = nil
    let without = try await camera.start(plain).configuration
    let stream = try await camera.start(wanted)
    #expect((stream.configuration.preview != nil) == fit.hasPreview)
    #expect((stream.configuration.raw != nil) == fit.hasRaw)
    #expect(stream.configuration.bufferCount == without.bufferCount)
    #expect(stream.configuration.adjustments == without.adjustments)
    let lease = try #require(await camera.leaseNext(of: stream))
    #expect((lease.preview != nil) == fit.hasPreview)
    await system.shutDown()
  }
}
