import CLibcameraShim
import Devices
import Testing

@testable import LinuxDevices

@Suite struct StreamConfigurationLibcameraTests {
  private func given(
    size: FrameSize = FrameSize(width: 1920, height: 1080), format: PixelFormat = .yuv420,
    frameDuration: Int64 = 0, ringFrames: UInt32 = 6, leasedFrames: UInt32 = 3
  ) -> platen_camera_stream {
    var stream = platen_camera_stream()
    stream.width = UInt32(size.width)
    stream.height = UInt32(size.height)
    stream.format = format.drmFourCC
    stream.stride = UInt32(size.width)
    stream.color_space = PLATEN_CAMERA_COLOR_BT601_FULL.rawValue
    stream.buffer_count = 13
    stream.ring_frames = ringFrames
    stream.leased_frames = leasedFrames
    stream.frame_duration_ns = frameDuration
    stream.readout_duration_ns = 30_000_000
    return stream
  }

  @Test func `a stream without the wanted raw frames says so`() throws {
    var wanted = StreamConfiguration(size: FrameSize(width: 1920, height: 1080))
    wanted.wantsRaw = true
    #expect(try wanted.shimRequest(for: "camera").wants_raw == 1)
    var stream = given()
    let without = try #require(ResolvedStreamConfiguration(stream, wanted: wanted))
    #expect(without.raw == nil)
    #expect(without.adjustments == [ResolvedStreamConfiguration.noRaw])
    stream.lacks_raw_memory = 1
    #expect(
      ResolvedStreamConfiguration(stream, wanted: wanted)?.adjustments
        == ["There is no memory for raw frames, so there are no DNG files."])
    stream.lacks_raw_memory = 0
    stream.raw = platen_camera_raw(
      mosaic: PLATEN_CAMERA_MOSAIC_BGGR.rawValue, bit_depth: 10,
      packing: PLATEN_CAMERA_PACKING_CSI2.rawValue, width: 2304, height: 1296, stride: 2880)
    let with = try #require(ResolvedStreamConfiguration(stream, wanted: wanted))
    #expect(with.adjustments.isEmpty)
    #expect(
      with.raw
        == RawStreamFormat(
          format: RawFormat(mosaic: .bggr, bitDepth: 10, packing: .csi2),
          size: FrameSize(width: 2304, height: 1296), bytesPerRow: 2880))
  }

  @Test func `the layout of previews is read from the shim`() throws {
    var wanted = StreamConfiguration(size: FrameSize(width: 1920, height: 1080))
    #expect(try wanted.shimRequest(for: "camera").preview_width == 0)
    wanted.previewWidth = 1024
    #expect(try wanted.shimRequest(for: "camera").preview_width == 1024)
    var stream = given()
    let without = try #require(ResolvedStreamConfiguration(stream, wanted: wanted))
    #expect(without.preview == nil && without.adjustments.isEmpty)
    stream.preview = platen_camera_preview(
      width: 960, height: 540, format: PixelFormat.nv12.drmFourCC, stride: 1024,
      color_space: PLATEN_CAMERA_COLOR_BT601_FULL.rawValue)
    #expect(
      ResolvedStreamConfiguration(stream, wanted: wanted)?.preview
        == StreamFormat(
          size: FrameSize(width: 960, height: 540), pixelFormat: .nv12, bytesPerRow: 1024,
          colorSpace: .jpeg))
  }

  @Test func `the wanted configuration reaches the shim`() throws {
    let wanted = StreamConfiguration(
      size: FrameSize(width: 4608, height: 2592), pixelFormats: [.nv12, .rgb], frameRate: 25,
      ringFrameCount: 5, leasedFrameCount: 2)
    let request = try wanted.shimRequest(for: "camera")
    #expect(request.width == 4608)
    #expect(request.height == 2592)
    #expect(request.format_count == 2)
    #expect(request.formats.0 == PixelFormat.nv12.drmFourCC)
    #expect(request.formats.1 == PixelFormat.rgb.drmFourCC)
    #expect(request.ring_frames == 5)
    #expect(request.leased_frames == 2)
    #expect(request.frame_duration_ns == 40_000_000)
  }

  @Test func `a configuration without a rate has no duration`() throws {
    let wanted = StreamConfiguration(size: FrameSize(width: 640, height: 480))
    #expect(try wanted.shimRequest(for: "camera").frame_duration_ns == 0)
  }

  @Test(arguments: [
    StreamConfiguration(size: FrameSize(width: 0, height: 480)),
    StreamConfiguration(size: FrameSize(width: 640, height: -1)),
    StreamConfiguration(size: FrameSize(width: 640, height: Int.max)),
    StreamConfiguration(size: FrameSize(width: 640, height: 480), pixelFormats: []),
    StreamConfiguration(
      size: FrameSize(width: 640, height: 480),
      pixelFormats: Array(repeating: .rgb, count: 9)),
    StreamConfiguration(size: FrameSize(width: 640, height: 480), ringFrameCount: 1),
    StreamConfiguration(size: FrameSize(width: 640, height: 480), leasedFrameCount: 0),
    StreamConfiguration(size: FrameSize(width: 640, height: 480), ringFrameCount: 40),
    StreamConfiguration(size: FrameSize(width: 640, height: 480), frameRate: 0),
    StreamConfiguration(size: FrameSize(width: 640, height: 480), frameRate: -5),
    StreamConfiguration(size: FrameSize(width: 640, height: 480), frameRate: .nan),
    StreamConfiguration(size: FrameSize(width: 640, height: 480), frameRate: .infinity),
  ])
  func `an invalid configuration is refused before the shim`(wanted: StreamConfiguration) {
    let error = #expect(throws: DeviceError.self) { try wanted.shimRequest(for: "camera") }
    #expect(error?.code == .misconfigured)
    #expect(error?.device == "camera")
  }

  @Test func `a fulfilled wish needs no adjustment`() throws {
    let wanted = StreamConfiguration(size: FrameSize(width: 1920, height: 1080), frameRate: 30)
    let resolved = try #require(
      ResolvedStreamConfiguration(given(frameDuration: 33_333_333), wanted: wanted))
    #expect(resolved.adjustments.isEmpty)
    #expect(resolved.format.pixelFormat == .yuv420)
    #expect(resolved.format.colorSpace == .jpeg)
    #expect(resolved.format.bytesPerRow == 1920)
    #expect(resolved.bufferCount == 13)
    #expect(resolved.frameDuration == .nanoseconds(33_333_333))
    #expect(resolved.readoutDuration == .milliseconds(30))
  }

  @Test func `an unknown frame duration is nil`() throws {
    let wanted = StreamConfiguration(size: FrameSize(width: 1920, height: 1080))
    #expect(try #require(ResolvedStreamConfiguration(given(), wanted: wanted)).frameDuration == nil)
  }

  @Test func `each difference is one sentence`() throws {
    let wanted = StreamConfiguration(
      size: FrameSize(width: 640, height: 480), frameRate: 60, ringFrameCount: 6)
    var got = given(
      size: FrameSize(width: 636, height: 480), format: .rgb, frameDuration: 40_000_000,
      ringFrames: 1, leasedFrames: 2)
    (got.sensor_width, got.sensor_height) = (3280, 2464)
    (got.shown_width, got.shown_height) = (3280, 1845)
    let resolved = try #require(ResolvedStreamConfiguration(got, wanted: wanted))
    #expect(
      resolved.adjustments == [
        "The camera has no 640x480; it gives 636x480.",
        "The camera has no yuv420 here; it gives rgb.",
        "The camera cannot give 60.0 frames a second at this size; it gives 25.0.",
        "The picture shows 100 % of the sensor's width and 75 % of its height.",
        "There is memory for 1 of 6 frames in the ring.",
        "There is memory for 2 of 3 frames in use at a time.",
      ])
  }

  @Test func `a foreign format is not resolved`() {
    var stream = given()
    stream.format = 1
    let wanted = StreamConfiguration(size: FrameSize(width: 1920, height: 1080))
    #expect(ResolvedStreamConfiguration(stream, wanted: wanted) == nil)
  }
}
