import Devices
import Foundation
import Imaging
import Testing

struct JPEGEncoderTests {
  struct Input: CustomStringConvertible {
    var pixelFormat: PixelFormat
    var colorSpace: ColorSpace
    var description: String { "\(pixelFormat) \(colorSpace)" }
  }

  static let inputs: [Input] =
    [PixelFormat.yuv420, .nv12, .yuyv].flatMap { pixelFormat in
      [ColorSpace.jpeg, .bt601Limited, .bt709Limited].map {
        Input(pixelFormat: pixelFormat, colorSpace: $0)
      }
    }
    + [PixelFormat.rgb, .bgr].map { Input(pixelFormat: $0, colorSpace: .unspecified) }

  static func encode(_ frame: TestFrame, quality: Int = 90) throws -> [UInt8] {
    try encode(frame, quality: quality, with: JPEGEncoder())
  }

  static func encode(
    _ frame: TestFrame, quality: Int = 90, with encoder: JPEGEncoder
  ) throws -> [UInt8] {
    try frame.bytes.withUnsafeBytes {
      try encoder.encode(bytes: $0, format: frame.format, quality: quality)
    }
  }

  @Test(arguments: inputs, [0, 37])
  func `Color bars come out in their colors and places`(_ input: Input, extraBytesPerRow: Int)
    throws
  {
    let (width, height) = (256, 128)
    // YUV420 halves its stride for the chroma planes.
    let extra = input.pixelFormat == .yuv420 ? extraBytesPerRow & ~1 : extraBytesPerRow
    let frame = TestFrame(
      input.pixelFormat, input.colorSpace, width: width, height: height, extraBytesPerRow: extra,
      paint: TestFrame.bars(width: width, height: height))
    let picture = try DecodedPicture(jpeg: Self.encode(frame))
    #expect(picture.width == width && picture.height == height)
    for half in 0..<2 {
      for bar in 0..<8 {
        var sum = RGB(red: 0, green: 0, blue: 0)
        var count = 0.0
        for row in stride(from: half * 64 + 16, to: half * 64 + 48, by: 4) {
          for column in bar * 32 + 10..<bar * 32 + 22 {
            let color = picture.color(column, row)
            sum.red += color.red
            sum.green += color.green
            sum.blue += color.blue
            count += 1
          }
        }
        let mean = RGB(red: sum.red / count, green: sum.green / count, blue: sum.blue / count)
        let wanted = TestFrame.color(ofBar: half == 0 ? bar : 7 - bar)
        #expect(mean.distance(to: wanted) <= 4, "half \(half) bar \(bar): \(mean) for \(wanted)")
      }
    }
  }

  @Test(arguments: inputs)
  func `A smooth picture keeps a PSNR above 38 dB at quality 90`(_ input: Input) throws {
    let (width, height) = (320, 240)
    let paint = TestFrame.gradient(width: width, height: height)
    let frame = TestFrame(
      input.pixelFormat, input.colorSpace, width: width, height: height, extraBytesPerRow: 64,
      paint: paint)
    let picture = try DecodedPicture(jpeg: Self.encode(frame))
    var squares = 0.0
    for row in 0..<height {
      for column in 0..<width {
        let (was, now) = (paint(column, row), picture.color(column, row))
        squares += pow(was.red - now.red, 2) + pow(was.green - now.green, 2)
        squares += pow(was.blue - now.blue, 2)
      }
    }
    let psnr = 10 * log10(255 * 255 / (squares / Double(3 * width * height)))
    #expect(psnr > 38, "\(psnr) dB")
  }

  @Test(
    arguments: inputs,
    [
      FrameSize(width: 1, height: 1), FrameSize(width: 17, height: 33),
      FrameSize(width: 34, height: 35), FrameSize(width: 31, height: 16),
    ])
  func `Odd sizes show the whole picture, to the last row and column`(
    _ input: Input, size: FrameSize
  ) throws {
    let color = RGB(red: 200, green: 120, blue: 60)
    let frame = TestFrame(
      input.pixelFormat, input.colorSpace, width: size.width, height: size.height,
      extraBytesPerRow: 6
    ) { _, _ in color }
    let picture = try DecodedPicture(jpeg: Self.encode(frame, quality: 95))
    #expect(picture.width == size.width && picture.height == size.height)
    for row in 0..<size.height {
      for column in 0..<size.width {
        let distance = picture.color(column, row).distance(to: color)
        #expect(distance <= 4, "column \(column), row \(row): \(picture.color(column, row))")
      }
    }
  }

  @Test(arguments: inputs)
  func `YUYV keeps its chroma rows, and other formats halve them`(_ input: Input) throws {
    let frame = TestFrame(
      input.pixelFormat, input.colorSpace, width: 64, height: 48,
      paint: TestFrame.bars(width: 64, height: 48))
    let header = try JPEGFile.frameHeader(of: Self.encode(frame))
    #expect(header.size == FrameSize(width: 64, height: 48))
    #expect(header.components.map(\.horizontalSampling) == [2, 1, 1])
    #expect(
      header.components.map(\.verticalSampling)
        == (input.pixelFormat == .yuyv ? [1, 1, 1] : [2, 1, 1]))
  }

  @Test
  func `A luma-chroma frame without a color space is taken as limited BT.601`() throws {
    var frame = TestFrame(
      .nv12, .bt601Limited, width: 64, height: 64, paint: TestFrame.bars(width: 64, height: 64))
    let limited = try Self.encode(frame)
    frame.format.colorSpace = .unspecified
    #expect(try Self.encode(frame) == limited)
  }

  @Test
  func `An encoder gives equal results after larger, smaller and bad frames`() throws {
    let encoder = try JPEGEncoder()
    let frames = [(96, 64), (16, 16), (640, 480), (33, 17)].map { width, height in
      TestFrame(
        .nv12, .bt709Limited, width: width, height: height,
        paint: TestFrame.gradient(width: width, height: height))
    }
    let fresh = try frames.map { try Self.encode($0) }
    for _ in 0..<3 {
      for (frame, wanted) in zip(frames, fresh) {
        #expect(try Self.encode(frame, with: encoder) == wanted)
        var broken = frame
        broken.bytes.removeLast(broken.bytes.count / 2)
        #expect(throws: ImagingError.self) { try Self.encode(broken, with: encoder) }
      }
    }
  }

  @Test(arguments: inputs)
  func `A better quality makes a larger file`(_ input: Input) throws {
    let frame = TestFrame(input.pixelFormat, input.colorSpace, width: 128, height: 128) { x, y in
      RGB(red: Double(x * y % 251), green: Double(x * 7 % 200), blue: Double(y * 5 % 220))
    }
    let sizes = try [1, 50, 90, 100].map { try Self.encode(frame, quality: $0).count }
    #expect(sizes == sizes.sorted() && Set(sizes).count == 4)
  }

  @Test(arguments: [0, -1, 101, Int.max])
  func `Invalid qualities are refused`(_ quality: Int) throws {
    let frame = TestFrame(.rgb, .unspecified, width: 8, height: 8) { _, _ in
      RGB(red: 0, green: 0, blue: 0)
    }
    let error = #expect(throws: ImagingError.self) { try Self.encode(frame, quality: quality) }
    #expect(error?.code == .unsupported)
  }

  @Test(arguments: JPEGEncoderTests.inputs)
  func `Frames that contradict their format are refused, with the numbers`(_ input: Input)
    throws
  {
    let good = TestFrame(input.pixelFormat, input.colorSpace, width: 32, height: 18) { _, _ in
      RGB(red: 9, green: 9, blue: 9)
    }
    let changes: [(inout TestFrame) -> Void] = [
      { $0.bytes.removeLast() }, { $0.bytes = [] }, { $0.format.bytesPerRow -= 2 },
      { $0.format.bytesPerRow = 0 }, { $0.format.bytesPerRow = -64 },
      { $0.format.bytesPerRow = Int(Int32.max) + 1 }, { $0.format.size.width = 0 },
      { $0.format.size.height = -1 }, { $0.format.size.width = 65501 },
      { $0.format.size.height = .max },
    ]
    for (index, change) in changes.enumerated() {
      var frame = good
      change(&frame)
      let error = #expect(throws: ImagingError.self, "change \(index)") {
        try Self.encode(frame)
      }
      #expect(error?.code == .malformedFrame, "change \(index): \(error?.description ?? "")")
    }
    #expect(try !Self.encode(good).isEmpty)
  }

  @Test
  func `Padding behind the last row may be missing`() throws {
    var frame = TestFrame(
      .nv12, .jpeg, width: 30, height: 16, extraBytesPerRow: 34,
      paint: TestFrame.bars(width: 30, height: 16))
    let wanted = try Self.encode(frame)
    frame.bytes.removeLast(34)
    #expect(try Self.encode(frame) == wanted)
  }
}
