import CameraHost
import Devices
import Testing

/// Cameras at a USB cable, which have other sizes in each format, and no say in their rate.
@Suite(.timeLimit(.minutes(5))) struct USBCameraTests {
  /// What is asked of a camera, and what it gives.
  struct Wish: Sendable, CustomTestStringConvertible {
    var camera: String
    var size: FrameSize
    var format: PixelFormat
    var testDescription: String { "\(camera) \(size)" }
  }

  static let wishes = [
    Wish(camera: "uvc/webcam", size: FrameSize(width: 1920, height: 1080), format: .mjpeg),
    Wish(camera: "uvc/webcam", size: FrameSize(width: 640, height: 480), format: .yuyv),
    Wish(camera: "uvc/document", size: FrameSize(width: 3264, height: 2448), format: .mjpeg),
    Wish(camera: "uvc/document", size: FrameSize(width: 1920, height: 1080), format: .mjpeg),
    Wish(camera: "uvc/document", size: FrameSize(width: 1280, height: 960), format: .mjpeg),
  ]

  @Test(arguments: wishes) func theFormatFollowsTheSize(wish: Wish) async throws {
    let system = try Fixture.piCameras(wish.camera)
    let camera = try await system.openFirst()
    let stream = try await camera.start(StreamConfiguration(size: wish.size, frameRate: 30))
    #expect(stream.configuration.format.size == wish.size)
    #expect(stream.configuration.format.pixelFormat == wish.format)
    #expect(stream.configuration.coverage == nil)
    #expect(await stream.events.frames(3).count == 3)
    await system.shutDown()
  }
}
