import Devices
import Testing

@testable import CameraHost

@Suite struct HostReplyLimitsTests {
  private func format(
    width: Int = 9248, height: Int = 6944, bytesPerRow: Int = 9248 * 3
  ) -> StreamFormat {
    StreamFormat(
      size: FrameSize(width: width, height: height), pixelFormat: .rgb, bytesPerRow: bytesPerRow,
      colorSpace: .unspecified)
  }

  private func lease(
    _ format: StreamFormat, buffer: Int = 0, byteCount: Int = 9248 * 6944 * 3
  ) -> HostReply {
    let frame = FrameInfo(id: 1, sequence: 1, timestamp: MonotonicInstant(nanoseconds: 1))
    return .answer(
      id: 1,
      .lease(
        HostedLease(
          lease: 1, info: frame, format: format, buffer: buffer, offset: 0, byteCount: byteCount)))
  }

  private func lease(
    raw bytesPerRow: Int, bits: Int = 12, buffer: Int = 1, levels: Int = 4
  ) -> HostReply {
    let raw = HostedRawFrame(
      format: RawStreamFormat(
        format: RawFormat(mosaic: .rggb, bitDepth: bits, packing: .csi2),
        size: FrameSize(width: 9248, height: 6944), bytesPerRow: bytesPerRow),
      properties: RawProperties(
        blackLevels: [Double](repeating: 256, count: levels), whiteLevel: 4095,
        neutral: [1, 1, 1], colorMatrix: [1, 0, 0, 0, 1, 0, 0, 0, 1]),
      buffer: buffer, offset: 0, byteCount: 9248 * 6944 * 3 / 2)
    let frame = FrameInfo(id: 1, sequence: 1, timestamp: MonotonicInstant(nanoseconds: 1))
    return .answer(
      id: 1,
      .lease(
        HostedLease(
          lease: 1, info: frame, format: format(), buffer: 0, offset: 0, byteCount: 1, raw: raw)))
  }

  private func lease(preview buffer: Int, byteCount: Int = 1024) -> HostReply {
    let frame = FrameInfo(id: 1, sequence: 1, timestamp: MonotonicInstant(nanoseconds: 1))
    var lease = HostedLease(
      lease: 1, info: frame, format: format(), buffer: 0, offset: 0, byteCount: 1)
    lease.preview = HostedPreview(
      format: format(width: 1024, height: 768, bytesPerRow: 3072), buffer: buffer, offset: 0,
      byteCount: byteCount)
    return .answer(id: 1, .lease(lease))
  }

  private func resolved(
    bufferCount: Int = 32, leasedFrameCount: Int = 3, rotation: Int = 270, adjustments: Int = 3
  ) -> HostReply {
    .answer(
      id: 1,
      .resolved(
        ResolvedStreamConfiguration(
          format: format(), bufferCount: bufferCount, leasedFrameCount: leasedFrameCount,
          frameDuration: nil, readoutDuration: .zero, rotation: rotation,
          adjustments: [String](repeating: "other", count: adjustments))))
  }

  private func cameras(_ count: Int, rotation: Int = 180, width: Int = 9248) -> HostReply {
    let camera = CameraDescription(
      id: "a", model: "imx708", mountingRotation: rotation,
      largestSize: FrameSize(width: width, height: 6944))
    return .answer(id: 1, .cameras([CameraDescription](repeating: camera, count: count)))
  }

  private func frame(crop: SensorRegion) -> HostReply {
    var frame = FrameInfo(id: 1, sequence: 1, timestamp: MonotonicInstant(nanoseconds: 1))
    frame.crop = crop
    return .event(stream: 1, .frame(frame))
  }

  @Test func `the largest cameras are within the limits`() {
    let whole = SensorRegion(left: 0, top: 0, size: FrameSize(width: 9248, height: 6944))
    for reply in [
      lease(format()), lease(format(), buffer: HostLimits.buffers - 1), resolved(), cameras(8),
      lease(raw: 9248 * 3 / 2), lease(preview: 2), frame(crop: whole), .endOfStream(1),
      .answer(id: 1, .done),
    ] {
      #expect(reply.excess == nil)
    }
  }

  @Test func `a size or a number beyond its limit is named`() {
    let far = SensorRegion(left: .max, top: 0, size: FrameSize(width: 1, height: 1))
    let high = SensorRegion(left: 0, top: .min, size: FrameSize(width: 1, height: 1))
    for (reply, name) in [
      (lease(format(width: .max)), "a width of \(Int.max)"),
      (lease(format(width: -1)), "a width of -1"),
      (lease(format(height: 65_536)), "a height of 65536; 0 to 65535 are the limits"),
      (lease(format(bytesPerRow: .max)), "a row's size"),
      (lease(format(bytesPerRow: 65_535 * 3)), "a frame's size"),
      (lease(format(), buffer: HostLimits.buffers), "a buffer's number"),
      (lease(format(), buffer: -1), "a buffer's number"),
      (lease(format(), byteCount: HostLimits.frameBytes + 1), "a frame's size"),
      (lease(raw: .max), "a row's size"), (lease(raw: 13_872, bits: 17), "a number of bits of 17"),
      (lease(raw: 13_872, buffer: -1), "a buffer's number"),
      (lease(raw: 13_872, levels: 65), "a number of properties of 65"),
      (lease(preview: HostLimits.buffers), "a buffer's number"),
      (lease(preview: 2, byteCount: .max), "a frame's size"),
      (resolved(bufferCount: .max), "a number of buffers"),
      (resolved(leasedFrameCount: .max), "a number of leases"),
      (resolved(rotation: .min), "an angle"),
      (resolved(adjustments: 65), "a number of adjustments of 65"),
      (cameras(65), "a number of cameras of 65"), (cameras(1, rotation: .max), "an angle"),
      (cameras(2, width: .max), "a width"), (frame(crop: far), "a column"),
      (frame(crop: high), "a row of"),
    ] as [(HostReply, String)] {
      #expect(reply.excess?.hasPrefix("a message has \(name)") == true, "\(name)")
    }
  }
}
