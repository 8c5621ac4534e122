import Devices
import Foundation
import Glibc
import Recorder
import TestSupport

/// Frames of a camera whose right half is brighter than the left one, with a moving line.
struct PaintedFrames {
  static let left: UInt8 = 60
  static let right: UInt8 = 200

  var format: StreamFormat
  /// The frames' times in microseconds from the first one.
  var times: [Int64]
  /// Whether all of the picture is bright from each odd second to the next even one.
  var isFlipping = false
  private var background: [UInt8]
  private let samples: Int

  /// Makes frames for a duration that come at irregular times, 15 to 55 ms apart.
  init(
    _ pixelFormat: PixelFormat = .yuv420, size: FrameSize = FrameSize(width: 320, height: 240),
    seconds: Double = 3, purpose: UInt64 = 1
  ) {
    samples =
      switch pixelFormat {
      case .yuv420, .nv12: 1
      case .yuyv: 2
      case .rgb, .bgr: 3
      case .mjpeg: 0
      }
    format = StreamFormat(
      size: size, pixelFormat: pixelFormat, bytesPerRow: (size.width + 32) * samples,
      colorSpace: pixelFormat == .rgb || pixelFormat == .bgr ? .unspecified : .jpeg)
    background = [UInt8](repeating: 128, count: format.byteCount)
    times = [0]
    var painted = background
    for row in 0..<size.height {
      paint(row, 0..<size.width / 2, PaintedFrames.left, &painted)
      paint(row, size.width / 2..<size.width, PaintedFrames.right, &painted)
    }
    background = painted
    var random = TestSeed.generator(purpose)
    while let last = times.last, Double(last) < seconds * 1e6 {
      times.append(last + Int64.random(in: 15_000...55_000, using: &random))
    }
  }

  /// The instant of the first frame.
  static let start = MonotonicInstant(nanoseconds: 7_200_000_000_123)

  /// Returns the instant of a frame.
  func instant(_ index: Int) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: PaintedFrames.start.nanoseconds + times[index] * 1000)
  }

  /// Returns the bytes of a frame.
  func bytes(_ index: Int) -> [UInt8] {
    var bytes = background
    if isFlipping, times[index] / 1_000_000 % 2 == 1 {
      let count = format.bytesPerRow * format.size.height
      bytes.replaceSubrange(..<count, with: repeatElement(PaintedFrames.right, count: count))
    }
    let row = index % format.size.height
    paint(row, 0..<format.size.width, 128, &bytes)
    return bytes
  }

  private func paint(_ row: Int, _ columns: Range<Int>, _ value: UInt8, _ bytes: inout [UInt8]) {
    for column in columns {
      let place = row * format.bytesPerRow + column * samples
      bytes[place] = value
      if samples == 3 { (bytes[place + 1], bytes[place + 2]) = (value, value) }
    }
  }

  var part: RecorderPart {
    RecorderPart(format: format, frameRate: 30, prefersHardware: false)
  }
}

/// A frame's memory in an unnamed file.
final class FileFrame: FrameBuffer {
  let fileDescriptor: Int32
  let offset = 64
  let byteCount: Int

  init(_ bytes: [UInt8]) {
    let directory = TemporaryDirectory(on: .memory)
    fileDescriptor = open(directory.path + "/frame", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    byteCount = bytes.count
    let space = [UInt8](repeating: 0, count: offset) + bytes
    _ = Glibc.write(fileDescriptor, space, space.count)
    withExtendedLifetime(directory) {}
  }

  deinit { close(fileDescriptor) }

  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {}

  func giveBack() {}
}

extension PaintedFrames {
  /// Returns a lease of a frame.
  func lease(_ index: Int) -> FrameLease {
    FrameLease(
      info: FrameInfo(id: UInt64(index), sequence: UInt64(index), timestamp: instant(index)),
      format: format, buffer: FileFrame(bytes(index)))
  }
}
