import Devices
import TestSupport
import Testing

@testable import Imaging

/// The copies of a frame for viewers, and its part in full resolution.
@Suite struct FramePartTests {
  /// A frame of 40 by 30 whose color tells the place.
  private func frame(_ pixelFormat: PixelFormat, _ colorSpace: ColorSpace = .jpeg) -> TestFrame {
    TestFrame(pixelFormat, colorSpace, width: 40, height: 30, extraBytesPerRow: 12) { column, row in
      RGB(red: Double(column * 6), green: Double(row * 8), blue: Double(column * 3 + row))
    }
  }

  private func part(
    _ frame: TestFrame, turned angle: Int, _ size: FrameSize
  ) throws -> ScaledFrame {
    try frame.bytes.withUnsafeBytes { bytes in
      try ScaledFrame.part(of: bytes, format: frame.format) {
        TurnedRegion(of: $0, turned: angle, x: 250, y: 750, size: size)
      }
    }
  }

  /// Returns the luma of a part, row by row.
  private func luma(_ part: ScaledFrame) -> [[UInt8]] {
    (0..<part.format.size.height).map { row in
      let start = row * part.format.bytesPerRow
      return Array(part.bytes[start..<start + part.format.size.width])
    }
  }

  @Test(arguments: [0, 90, 180, 270])
  func `a part is the same place of the turned frame`(angle: Int) throws {
    let frame = frame(.yuv420)
    let whole = GrayPicture(
      size: frame.format.size,
      luma: (0..<30).flatMap { row in
        frame.bytes[(row * frame.format.bytesPerRow)...].prefix(40)
      }
    ).turned(clockwise: angle)
    let size = FrameSize(width: 10, height: 6)
    let (x, y) = (
      (whole.size.width / 4 - 5) / 2 * 2,
      min(whole.size.height * 3 / 4 - 3, whole.size.height - 6) / 2 * 2
    )
    let expected = (y..<y + 6).map { row in
      Array(whole.luma[(row * whole.size.width + x)...].prefix(10))
    }
    #expect(try luma(part(frame, turned: angle, size)) == expected)
  }

  @Test(arguments: [PixelFormat.nv12, .yuyv])
  func `the layout of the samples does not matter`(_ pixelFormat: PixelFormat) throws {
    let size = FrameSize(width: 12, height: 8)
    for angle in [0, 90] {
      let expected = try part(frame(.yuv420), turned: angle, size)
      let shown = try part(frame(pixelFormat), turned: angle, size)
      #expect(luma(shown) == luma(expected))
      // The chroma of YUYV is that of one row, not of two.
      let limit = pixelFormat == .yuyv ? 6 : 0
      for (one, other) in zip(shown.bytes, expected.bytes) {
        #expect(abs(Int(one) - Int(other)) <= limit)
      }
    }
  }

  @Test(arguments: [PixelFormat.rgb, .bgr])
  func `a part of colors has its colors`(_ pixelFormat: PixelFormat) throws {
    let shown = try part(frame(pixelFormat), turned: 180, FrameSize(width: 2, height: 1))
    #expect(shown.format.pixelFormat == pixelFormat)
    // The turned part begins at column 8 and row 22, so the frame's place is 31, 7.
    let color: [UInt8] = [31 * 6, 7 * 8, 31 * 3 + 7]
    #expect(Array(shown.bytes.prefix(3)) == (pixelFormat == .rgb ? color : color.reversed()))
  }

  @Test func `a part of an MJPEG frame shows its image`() throws {
    let plain = TestFrame(.yuv420, .jpeg, width: 64, height: 48) { column, row in
      RGB(red: Double(column * 3), green: Double(row * 4), blue: 90)
    }
    let image = try plain.bytes.withUnsafeBytes {
      try JPEGEncoder().encode(bytes: $0, format: plain.format, quality: 100)
    }
    let format = StreamFormat(
      size: plain.format.size, pixelFormat: .mjpeg, bytesPerRow: 0, colorSpace: .jpeg)
    let size = FrameSize(width: 20, height: 10)
    let shown = try part(TestFrame(format: format, bytes: image), turned: 90, size)
    let expected = try part(plain, turned: 90, size)
    for (one, other) in zip(shown.bytes, expected.bytes) {
      #expect(abs(Int(one) - Int(other)) <= 4)
    }
  }

  @Test func `a part is inside the frame however large and near the edge it is`() {
    let frame = FrameSize(width: 41, height: 31)
    for (x, y) in [(0, 0), (1000, 1000), (500, 0)] {
      for angle in [0, 90, 180, 270] {
        for size in [FrameSize(width: 16, height: 9), FrameSize(width: 100, height: 100)] {
          let region = TurnedRegion(of: frame, turned: angle, x: x, y: y, size: size)
          let turned =
            angle % 180 == 0 ? frame : FrameSize(width: frame.height, height: frame.width)
          #expect(region.column >= 0 && region.column + region.size.width <= turned.width)
          #expect(region.row >= 0 && region.row + region.size.height <= turned.height)
        }
      }
    }
  }

  @Test(arguments: [PixelFormat.yuv420, .nv12, .yuyv, .rgb, .bgr])
  func `copies fit their limits and have the frame's sharpness`(_ pixelFormat: PixelFormat) throws {
    let frame = frame(pixelFormat)
    let limits: Set = [
      FrameSize(width: 20, height: 20), FrameSize(width: 20, height: 15),
      FrameSize(width: 64, height: 64),
    ]
    let copies = try frame.bytes.withUnsafeBytes { bytes in
      try FrameCopies(of: bytes, format: frame.format, within: limits)
    }
    #expect(Set(copies.copies.keys) == limits)
    let sizes = copies.copies.mapValues(\.format.size)
    #expect(sizes[FrameSize(width: 20, height: 20)] == FrameSize(width: 20, height: 15))
    #expect(sizes[FrameSize(width: 20, height: 15)] == FrameSize(width: 20, height: 15))
    #expect(sizes[FrameSize(width: 64, height: 64)] == FrameSize(width: 40, height: 30))
    let preview = try frame.bytes.withUnsafeBytes { bytes in
      try FramePreview.compute(bytes: bytes, format: frame.format, clockwiseRotation: 0)
    }
    #expect(copies.focus == preview.focus)
  }

  @Test func `a sharp part is sharper than a blurred one`() throws {
    func focus(_ step: Int) throws -> Double {
      let frame = TestFrame(.yuv420, .jpeg, width: 64, height: 64) { column, row in
        let level = (column / step + row / step) % 2 == 0 ? 230.0 : 20
        return RGB(red: level, green: level, blue: level)
      }
      return try part(frame, turned: 0, FrameSize(width: 32, height: 32)).focus()
    }
    #expect(try focus(2) > focus(16) * 2)
  }
}
