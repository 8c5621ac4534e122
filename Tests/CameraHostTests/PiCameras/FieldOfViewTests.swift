import CameraHost
import Capture
import Devices
import Testing

/// The whole field of view in any size; by itself, libcamera cuts the size out of the middle.
@Suite(.timeLimit(.minutes(5))) struct FieldOfViewTests {
  /// A kind of camera, and the frame rate that it gives in 1080p with its whole field.
  struct Kind: Sendable, CustomTestStringConvertible {
    var name: String
    var rateIn1080p: Double
    var testDescription: String { name }
  }

  static let kinds = ["vc4", "pisp"].flatMap { pipeline in
    [("ov5647", 15.63), ("imx219", 21.19), ("imx477", 30), ("imx708", 30)].map {
      Kind(name: "\(pipeline)/\($0.0)", rateIn1080p: $0.1)
    }
  }

  static let presets: [SessionPreset] = [
    .document, .hd1920x1080, .photo, .custom(FrameSize(width: 640, height: 480)),
  ]

  @Test(arguments: kinds, presets)
  func `the picture shows all that its shape allows`(kind: Kind, preset: SessionPreset) async throws
  {
    let system = try Fixture.piCameras(kind.name)
    let camera = try await system.openFirst()
    let sensor = try #require(camera.identity.largestSize)
    let size = preset.size(for: camera.identity)
    let wanted = StreamConfiguration(size: size, frameRate: 30)
    let started = try await camera.start(wanted).configuration
    #expect(started.format.size == size)
    #expect(started.format.pixelFormat == .yuv420)
    let coverage = try #require(started.coverage)
    let proportion = size.ratio / sensor.ratio
    #expect(abs(coverage.width - min(1, proportion)) < 0.005)
    #expect(abs(coverage.height - min(1, 1 / proportion)) < 0.005)
    #expect(started.adjustments.contains(coverage.sentence ?? "") == (coverage.sentence != nil))
    if preset == .hd1920x1080 {
      let duration = try #require(started.frameDuration)
      #expect(abs(.seconds(1) / duration - kind.rateIn1080p) < 0.01)
    }
    let resolved = try await camera.resolve(wanted)
    #expect(resolved.coverage == coverage)
    #expect(resolved.frameDuration == started.frameDuration)
    await camera.close()
    await system.shutDown()
  }

  /// A quarter turn, which no sensor can make, is left to the pictures' orientation.
  @Test(arguments: [(0, 0), (90, 270), (180, 0), (270, 90)])
  func `a quarter turn of the mounting is reported`(mounting: Int, left: Int) async throws {
    let system = try Fixture.piCameras("vc4/ov5647/\(mounting)")
    let camera = try await system.openFirst()
    let size = FrameSize(width: 1024, height: 768)
    #expect(try await camera.start(StreamConfiguration(size: size)).configuration.rotation == left)
    await system.shutDown()
  }

  @Test(arguments: ["vc4", "pisp"])
  func `a turn that the sensor cannot make is reported`(pipeline: String) async throws {
    let system = try Fixture.piCameras("\(pipeline)/ov5647/180/noflips")
    let camera = try await system.openFirst()
    let size = FrameSize(width: 1024, height: 768)
    #expect(try await camera.start(StreamConfiguration(size: size)).configuration.rotation == 180)
    await system.shutDown()
  }

  /// The frames themselves report the part of the sensor that they show.
  @Test func `frames show the promised part of the sensor`() async throws {
    let system = try Fixture.piCameras("vc4/imx219")
    let camera = try await system.openFirst()
    let stream = try await camera.start(
      StreamConfiguration(size: FrameSize(width: 1920, height: 1080), frameRate: 30))
    let frames = await stream.events.frames(3)
    #expect(frames.allSatisfy { $0.crop?.size.width == 3280 })
    #expect(frames.allSatisfy { $0.frameDuration == .microseconds(47183) })
    await system.shutDown()
  }
}

extension FrameSize {
  fileprivate var ratio: Double { Double(width) / Double(height) }
}
