import Devices
import Testing

@Suite struct StreamFormatTests {
  private func format(_ pixelFormat: PixelFormat, bytesPerRow: Int, _ width: Int, _ height: Int)
    -> StreamFormat
  {
    StreamFormat(
      size: FrameSize(width: width, height: height), pixelFormat: pixelFormat,
      bytesPerRow: bytesPerRow, colorSpace: .jpeg)
  }

  static let formats: [(PixelFormat, Int, Int, Int)] = [
    (.yuv420, 4096, 3040, 18_677_760), (.nv12, 1920, 1080, 3_110_400),
    (.rgb, 5760, 1080, 6_220_800), (.bgr, 5760, 1080, 6_220_800), (.yuyv, 3840, 1080, 4_147_200),
    (.mjpeg, 0, 1080, 0), (.yuv420, 6, 5, 48),
  ]

  @Test(arguments: formats)
  func `each format has its byte count`(
    _ pixelFormat: PixelFormat, _ bytesPerRow: Int, _ height: Int, _ expected: Int
  ) {
    #expect(format(pixelFormat, bytesPerRow: bytesPerRow, 4, height).byteCount == expected)
  }

  @Test func `planes follow one another`() {
    let planes = format(.yuv420, bytesPerRow: 4096, 4056, 3040).planes
    #expect(planes.map(\.offset) == [0, 4096 * 3040, 4096 * 3040 + 2048 * 1520])
    #expect(planes.map(\.bytesPerRow) == [4096, 2048, 2048])
    #expect(planes.map(\.rows) == [3040, 1520, 1520])
  }
}

@Suite struct FrameInfoTests {
  @Test func `the midpoint of a rolling shutter is that of its middle row`() {
    let frame = FrameInfo(
      id: 1, sequence: 1, timestamp: MonotonicInstant(nanoseconds: 100_000_000),
      exposureDuration: .milliseconds(20), readoutDuration: .milliseconds(70))
    #expect(frame.exposureMidpoint.nanoseconds == 125_000_000)
  }

  @Test func `the ISO speed needs a gain`() {
    var frame = FrameInfo(id: 1, sequence: 1, timestamp: MonotonicInstant(nanoseconds: 0))
    #expect(frame.isoSpeed == nil)
    frame.analogueGain = 2
    frame.digitalGain = 1.5
    #expect(frame.isoSpeed == 300)
    for gain in [Double.nan, .infinity, 1e300] {
      frame.digitalGain = gain
      #expect(frame.isoSpeed == nil)
    }
  }
}
