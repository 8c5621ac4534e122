import Devices
import Recorder
import Testing

@testable import Capture
@testable import Service

@Suite struct RecorderPartTests {
  @Test func `a slow stream gets the pace and the bits of its own frames`() {
    let size = FrameSize(width: 1920, height: 1080)
    var part = MoviePart(
      recording: 1, press: nil, number: 1, camera: "cam",
      format: StreamFormat(
        size: size, pixelFormat: .yuv420, bytesPerRow: 1920, colorSpace: .bt709Limited),
      size: size, captureAngle: 0, beganAt: MonotonicInstant(nanoseconds: 1),
      frameRate: nil, compression: .quality(.high), hasSound: false)
    let usual = RecorderPart(part)
    #expect(usual.frameRate == 30)
    part.expectedFrameRate = 10
    let slow = RecorderPart(part)
    #expect(slow.frameRate == 10 && slow.bitRate == usual.bitRate / 3)
  }
}
