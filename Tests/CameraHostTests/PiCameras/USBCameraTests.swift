import CameraHost
import Devices
import Testing

/// USB cameras, which have other sizes in each format and do not accept a frame rate.
@Suite(.timeLimit(.minutes(5))) struct USBCameraTests {
  /// A requested size, and the format that the camera gives.
  struct Wish: Sendable, CustomTestStringConvertible {
    var camera: String
    var size: FrameSize
    var frameRate = 30.0
    var format: PixelFormat
    var testDescription: String { "\(camera) \(size) \(frameRate)/s" }
  }

  static let wishes = [
    Wish(camera: "uvc/webcam", size: FrameSize(width: 1920, height: 1080), format: .mjpeg),
    Wish(camera: "uvc/webcam", size: FrameSize(width: 640, height: 480), format: .yuyv),
    Wish(camera: "uvc/document", size: FrameSize(width: 3264, height: 2448), format: .mjpeg),
    Wish(camera: "uvc/document", size: FrameSize(width: 1920, height: 1080), format: .mjpeg),
    Wish(camera: "uvc/document", size: FrameSize(width: 1280, height: 960), format: .mjpeg),
    Wish(
      camera: "uvc/document", size: FrameSize(width: 1280, height: 960), frameRate: 5,
      format: .yuyv),
  ]

  @Test(arguments: wishes)
  func `the format follows the size and the rate`(wish: Wish) async throws {
    let system = try Fixture.piCameras(wish.camera)
    let camera = try await system.openFirst()
    let stream = try await camera.start(
      StreamConfiguration(size: wish.size, frameRate: wish.frameRate))
    #expect(stream.configuration.format.size == wish.size)
    #expect(stream.configuration.format.pixelFormat == wish.format)
    #expect(stream.configuration.coverage == nil)
    #expect(await stream.events.frames(3).count == 3)
    await system.shutDown()
  }

  /// An image without its end would be refused by the encoder; its neighbor is whole.
  @Test func `a truncated image is no frame`() async throws {
    let system = try Fixture.piCameras("uvc/cutting")
    let camera = try await system.openFirst()
    let stream = try await camera.start(
      StreamConfiguration(size: FrameSize(width: 1280, height: 720)))
    var (whole, cut) = (0, 0)
    for await event in stream.events {
      switch event {
      case .frame(let frame):
        whole += 1
        #expect(frame.sequence % 3 != 0)
      case .damagedFrame(let sequence):
        cut += 1
        #expect(sequence % 3 == 0)
      default: break
      }
      if whole >= 6, cut >= 2 { break }
    }
    await system.shutDown()
  }

  /// A time that the clock excludes would make a press take the frame of another moment.
  @Test func `a time that has long passed is marked as unknown`() async throws {
    let system = try Fixture.piCameras("uvc/late")
    let camera = try await system.openFirst()
    let stream = try await camera.start(
      StreamConfiguration(size: FrameSize(width: 1280, height: 720)))
    var (known, late) = (0, 0)
    for await case .frame(let frame) in stream.events {
      if frame.isTimestampKnown { known += 1 } else { late += 1 }
      #expect(!frame.isTimestampKnown || frame.sequence % 3 != 0)
      if known >= 4, late >= 2 { break }
    }
    await system.shutDown()
  }

  /// The camera's own rate is 30 frames a second; the driver counts frames without a buffer.
  ///
  /// A pace of 28 frames a second would miss each fifteenth frame.
  @Test(arguments: [(28.0, 1, 16), (10.0, 3, 4)])
  func `only a rate below the camera's own is paced`(
    frameRate: Double, step: Int, length: Int
  ) async throws {
    let system = try Fixture.piCameras("uvc/webcam")
    let camera = try await system.openFirst()
    let stream = try await camera.start(
      StreamConfiguration(size: FrameSize(width: 1280, height: 720), frameRate: frameRate))
    // The first frames are not paced. A busy machine misses frames, so that a row of even steps
    // comes later.
    var last: UInt64?
    var row = 0
    for await case .frame(let frame) in stream.events where frame.sequence > 8 {
      row = frame.sequence - (last ?? frame.sequence) == step ? row + 1 : 0
      last = frame.sequence
      #expect(!frame.isMidpointKnown)
      if row == length { break }
    }
    #expect(row == length)
    await system.shutDown()
  }
}
