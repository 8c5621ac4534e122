import Devices
import Testing

@testable import SimulatedDevices

@Suite struct StreamNegotiationTests {
  private let negotiation = StreamNegotiation(model: SimulatedCameraModel())

  struct Row: Sendable {
    var wanted: FrameSize
    var frameRate: Double?
    var size: FrameSize
    var mode: Int
    var frameDuration: Duration
    var adjustments: Int
  }

  static let rows = [
    Row(
      wanted: FrameSize(width: 1920, height: 1080), frameRate: 30,
      size: FrameSize(width: 1920, height: 1080), mode: 1, frameDuration: .microseconds(33_333),
      adjustments: 0),
    Row(
      wanted: FrameSize(width: 4608, height: 2592), frameRate: 30,
      size: FrameSize(width: 4608, height: 2592), mode: 0, frameDuration: .microseconds(69_686),
      adjustments: 1),
    Row(
      wanted: FrameSize(width: 9000, height: 9000), frameRate: nil,
      size: FrameSize(width: 4608, height: 2592), mode: 0, frameDuration: .microseconds(69_686),
      adjustments: 1),
    Row(
      wanted: FrameSize(width: 641, height: 481), frameRate: 200,
      size: FrameSize(width: 640, height: 480), mode: 2, frameDuration: .microseconds(8_333),
      adjustments: 2),
    Row(
      wanted: FrameSize(width: 1, height: 1), frameRate: 1,
      size: FrameSize(width: 176, height: 96), mode: 2, frameDuration: .seconds(1), adjustments: 1),
    Row(
      wanted: FrameSize(width: 1000, height: 1200), frameRate: 50,
      size: FrameSize(width: 1000, height: 1200), mode: 1, frameDuration: .milliseconds(20),
      adjustments: 0),
  ]

  @Test(arguments: rows) func `the closest configuration is chosen and adjustments are reported`(
    row: Row
  ) throws {
    let outcome = try negotiation.resolve(
      StreamConfiguration(size: row.wanted, frameRate: row.frameRate))
    #expect(outcome.resolved.format.size == row.size)
    #expect(outcome.mode == SimulatedCameraModel.imx708Modes[row.mode])
    #expect(outcome.resolved.readoutDuration == outcome.mode.readoutDuration)
    #expect(outcome.resolved.frameDuration == row.frameDuration)
    #expect(outcome.resolved.adjustments.count == row.adjustments)
    #expect(outcome.resolved.bufferCount == 4 + 3)
  }

  @Test func `the first available pixel format is chosen`() throws {
    let size = FrameSize(width: 640, height: 480)
    let plain = try negotiation.resolve(StreamConfiguration(size: size)).resolved
    #expect(plain.format.pixelFormat == .yuv420)
    #expect(plain.format.colorSpace == .jpeg)
    let wanted = StreamConfiguration(size: size, pixelFormats: [.mjpeg, .rgb, .yuv420])
    let adjusted = try negotiation.resolve(wanted).resolved
    #expect(adjusted.format.pixelFormat == .rgb)
    #expect(adjusted.format.bytesPerRow == 1920)
    #expect(adjusted.adjustments == ["Pixel format mjpeg became rgb."])
    let error = #expect(throws: DeviceError.self) {
      try negotiation.resolve(StreamConfiguration(size: size, pixelFormats: [.mjpeg, .yuyv]))
    }
    #expect(error?.code == .unsupported)
  }

  @Test func `raw frames are given where they are wanted and the camera has them`() throws {
    var wanted = StreamConfiguration(size: FrameSize(width: 640, height: 480))
    #expect(try negotiation.resolve(wanted).resolved.raw == nil)
    wanted.wantsRaw = true
    let resolved = try negotiation.resolve(wanted).resolved
    #expect(
      resolved.raw
        == RawStreamFormat(
          format: RawFormat(mosaic: .rggb, bitDepth: 12, packing: .csi2),
          size: FrameSize(width: 640, height: 480), bytesPerRow: 960))
    #expect(resolved.adjustments.isEmpty)
    let plain = StreamNegotiation(model: .withoutControls())
    let without = try plain.resolve(wanted).resolved
    #expect(without.raw == nil)
    #expect(without.adjustments == [ResolvedStreamConfiguration.noRaw])
  }

  @Test func `previews are given where they are wanted and the camera has a second stream`() throws
  {
    var wanted = StreamConfiguration(size: FrameSize(width: 4608, height: 2592))
    #expect(try negotiation.resolve(wanted).resolved.preview == nil)
    wanted.previewWidth = 1024
    #expect(
      try negotiation.resolve(wanted).resolved.preview
        == StreamFormat(
          size: FrameSize(width: 1024, height: 576), pixelFormat: .yuv420, bytesPerRow: 1024,
          colorSpace: .jpeg))
    wanted.size = FrameSize(width: 640, height: 480)
    #expect(
      try negotiation.resolve(wanted).resolved.preview?.size == FrameSize(width: 320, height: 240))
    #expect(
      try StreamNegotiation(model: .withoutControls()).resolve(wanted).resolved.preview == nil)
  }

  @Test func `rows are padded to 64 bytes as on a Pi`() throws {
    let size = FrameSize(width: 1000, height: 1000)
    #expect(
      try negotiation.resolve(StreamConfiguration(size: size)).resolved.format.bytesPerRow == 1024)
  }

  @Test func `the buffers are limited and adjustments are reported`() throws {
    let wanted = StreamConfiguration(
      size: FrameSize(width: 640, height: 480), ringFrameCount: 100, leasedFrameCount: 0)
    let outcome = try negotiation.resolve(wanted)
    #expect(outcome.resolved.bufferCount == 32)
    #expect(outcome.ringFrameCount == 31)
    #expect(outcome.resolved.adjustments.count == 2)
  }
}
