import Devices
import TestSupport
import Testing

@testable import Imaging

@Suite struct FramePreviewTests {
  /// Returns a gray frame in a format, its samples made by a function.
  private func frame(
    _ pixelFormat: PixelFormat, _ colorSpace: ColorSpace = .jpeg, width: Int = 96, height: Int = 64,
    luma: (_ column: Int, _ row: Int) -> UInt8
  ) -> (format: StreamFormat, bytes: [UInt8]) {
    let narrowest =
      switch pixelFormat {
      case .yuyv: 2 * width
      case .rgb, .bgr: 3 * width
      default: width
      }
    let format = StreamFormat(
      size: FrameSize(width: width, height: height), pixelFormat: pixelFormat,
      // The padding is no part of the picture.
      bytesPerRow: narrowest + 6, colorSpace: colorSpace)
    var bytes = [UInt8](repeating: 77, count: format.byteCount)
    for row in 0..<height {
      for column in 0..<width {
        let start = row * format.bytesPerRow
        switch pixelFormat {
        case .yuyv: bytes[start + 2 * column] = luma(column, row)
        case .rgb, .bgr:
          for part in 0..<3 { bytes[start + 3 * column + part] = luma(column, row) }
        default: bytes[start + column] = luma(column, row)
        }
      }
    }
    return (format, bytes)
  }

  private func preview(
    _ frame: (format: StreamFormat, bytes: [UInt8]), turned angle: Int = 0
  ) throws -> FramePreview {
    try frame.bytes.withUnsafeBytes {
      try FramePreview.compute(bytes: $0, format: frame.format, clockwiseRotation: angle)
    }
  }

  /// Returns print on paper, blurred by a box of so many samples each way.
  private func text(blur: Int, gain: Double = 1) -> (Int, Int) -> UInt8 {
    { column, row in
      var sum = 0
      for y in row - blur...row + blur {
        for x in column - blur...column + blur {
          sum += (x / 3 * 7 + y / 5 * 3) % 5 == 0 ? 30 : 200
        }
      }
      let mean = Double(sum) / Double((2 * blur + 1) * (2 * blur + 1))
      return UInt8((mean * gain).rounded())
    }
  }

  @Test(arguments: [PixelFormat.yuv420, .nv12, .yuyv, .rgb, .bgr])
  func `all formats show the same picture`(_ pixelFormat: PixelFormat) throws {
    let expected = try preview(frame(.yuv420, luma: text(blur: 1)))
    let shown = try preview(frame(pixelFormat, luma: text(blur: 1)))
    #expect(shown.picture == expected.picture)
    #expect(shown.focus == expected.focus)
    #expect(shown.picture.size == FrameSize(width: 96, height: 64))
  }

  @Test func `a preview of an MJPEG frame shows its image`() throws {
    let plain = frame(.yuv420, width: 96, height: 64, luma: text(blur: 2))
    let expected = try preview(plain)
    let image = try plain.bytes.withUnsafeBytes {
      try JPEGEncoder().encode(bytes: $0, format: plain.format, quality: 100)
    }
    let format = StreamFormat(
      size: plain.format.size, pixelFormat: .mjpeg, bytesPerRow: 0, colorSpace: .jpeg)
    let shown = try preview((format, image))
    #expect(shown.picture.size == expected.picture.size)
    for (one, other) in zip(shown.picture.luma, expected.picture.luma) {
      #expect(abs(Int(one) - Int(other)) <= 3)
    }
    #expect(abs(shown.focus - expected.focus) < 0.01)
    #expect(throws: ImagingError.self) { try preview((format, Array(image.prefix(40)))) }
  }

  @Test func `the focus figure falls with every blur and not with the light`() throws {
    let figures = try (0...4).map { try preview(frame(.yuv420, luma: text(blur: $0))).focus }
    for (sharper, softer) in zip(figures, figures.dropFirst()) { #expect(softer < sharper * 0.95) }
    for blur in [0, 2] {
      let bright = try preview(frame(.yuv420, luma: text(blur: blur, gain: 1.2))).focus
      let dark = try preview(frame(.yuv420, luma: text(blur: blur, gain: 0.4))).focus
      #expect(abs(bright / dark - 1) < 0.02, "\(bright) \(dark)")
      // Sharpness, not light, makes the difference.
      #expect(abs(dark / figures[blur] - 1) < 0.02)
    }
  }

  @Test func `the focus figure is zero for a plain picture and one for the finest squares`() throws
  {
    #expect(try preview(frame(.yuv420) { _, _ in 200 }).focus == 0)
    #expect(try preview(frame(.yuv420) { _, _ in 0 }).focus == 0)
    let squares = try preview(frame(.yuv420) { $0 / 2 % 2 == $1 / 2 % 2 ? 0 : 255 })
    #expect(abs(squares.focus - 1) < 0.001)
    var generator = TestSeed.generator()
    for _ in 0..<20 {
      let noise = (0..<64 * 96).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let focus = try preview(frame(.yuv420) { noise[$1 * 96 + $0] }).focus
      #expect((0...1).contains(focus) && focus > 0.3)
    }
  }

  @Test func `only the middle is measured, with every sample`() throws {
    // Columns 24..<72 and rows 16..<48 are the middle.
    let outside = frame(.yuv420) { column, row in
      (24..<72).contains(column) && (16..<48).contains(row) ? 90 : UInt8(column % 2 * 255)
    }
    #expect(try preview(outside).focus == 0)
    let single = frame(.yuv420) { $0 == 47 && $1 == 31 ? 255 : 90 }
    #expect(try preview(single).focus > 0)
    #expect(
      FocusMeasure.window(of: FrameSize(width: 4608, height: 2592))
        == (columns: 1792..<2816, rows: 784..<1808))
    for size in [(1, 1), (2, 5), (3, 3)] {
      let tiny = frame(.yuv420, width: size.0, height: size.1) { UInt8(($0 + $1) * 20) }
      #expect(try preview(tiny).focus >= 0)
    }
  }

  @Test func `a limited range is spread and clipping is counted`() throws {
    let samples: [UInt8] = [16, 235, 126, 255]
    let limited = try preview(
      frame(.yuv420, .bt709Limited, width: 8, height: 8) { column, _ in samples[column / 2] })
    #expect(limited.picture.luma[0] == 0 && limited.picture.luma[2] == 255)
    #expect((126...130).contains(limited.picture.luma[4]))
    #expect(limited.clippedShadows == 0.25 && limited.clippedHighlights == 0.5)
    let full = try preview(frame(.yuv420, width: 8, height: 8) { column, _ in samples[column / 2] })
    #expect(full.clippedShadows == 0 && full.clippedHighlights == 0.25)
    #expect(full.picture.luma[0] == 16)
  }

  @Test func `a large frame becomes small and stands upright`() throws {
    // The picture is bright at the top left.
    let large = frame(.yuv420, width: 1280, height: 720) { $0 < 640 && $1 < 360 ? 250 : 20 }
    let upright = try preview(large).picture
    #expect(upright.size == FrameSize(width: 320, height: 180))
    #expect(upright.luma[0] == 250 && upright.luma[319] == 20)
    let turned = try preview(large, turned: 90).picture
    #expect(turned.size == FrameSize(width: 180, height: 320))
    #expect(turned.luma[179] == 250 && turned.luma[0] == 20)
    let around = try preview(large, turned: 180).picture
    #expect(around.luma[320 * 180 - 1] == 250 && around.luma[0] == 20)
    let back = try preview(large, turned: 270).picture
    #expect(back.luma[319 * 180] == 250 && back.luma[0] == 20)
  }

  @Test func `a frame that is too short is refused`() throws {
    var short = frame(.yuv420) { _, _ in 1 }
    short.bytes.removeLast(2000)
    let error = #expect(throws: ImagingError.self) { try preview(short) }
    #expect(error?.code == .malformedFrame)
  }
}
