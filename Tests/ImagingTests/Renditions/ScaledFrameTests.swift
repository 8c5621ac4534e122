import Devices
import Foundation
import TestSupport
import Testing

@testable import Imaging

struct ScaledFrameTests {
  /// A kind of a frame's samples as numbers.
  struct Samples {
    var columns: Int, rows: Int
    /// The number of the frame's columns and rows for each sample.
    var across: Double, down: Double
    var value: (_ column: Int, _ row: Int) -> Double

    /// Returns the mean of an area of the picture, in pixels, as far as there are samples.
    func mean(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>) -> Double {
      var (sum, area) = (0.0, 0.0)
      func overlap(_ index: Int, _ size: Double, _ range: ClosedRange<Double>) -> Double {
        max(
          0,
          min(Double(index + 1) * size, range.upperBound)
            - max(
              Double(index) * size, range.lowerBound))
      }
      for row in 0..<rows {
        let height = overlap(row, down, y)
        if height == 0 { continue }
        for column in 0..<columns {
          let share = overlap(column, across, x) * height
          sum += share * value(column, row)
          area += share
        }
      }
      return sum / area
    }
  }

  /// Returns the samples of a frame, by their definition in memory: Y, Cb, Cr or three colors.
  static func samples(_ format: StreamFormat, _ bytes: [UInt8]) -> [Samples] {
    let (width, height) = (format.size.width, format.size.height)
    let (chroma, half) = ((width + 1) / 2, (height + 1) / 2)
    let planes = format.planes
    func make(
      _ plane: Int, _ columns: Int, _ rows: Int, _ across: Double, _ down: Double, _ offset: Int,
      _ step: Int
    ) -> Samples {
      Samples(columns: columns, rows: rows, across: across, down: down) { column, row in
        Double(
          bytes[planes[plane].offset + row * planes[plane].bytesPerRow + offset + column * step])
      }
    }
    return switch format.pixelFormat {
    case .yuv420:
      [
        make(0, width, height, 1, 1, 0, 1), make(1, chroma, half, 2, 2, 0, 1),
        make(2, chroma, half, 2, 2, 0, 1),
      ]
    case .nv12:
      [
        make(0, width, height, 1, 1, 0, 1), make(1, chroma, half, 2, 2, 0, 2),
        make(1, chroma, half, 2, 2, 1, 2),
      ]
    case .yuyv:
      [
        make(0, width, height, 1, 1, 0, 2), make(0, chroma, height, 2, 1, 1, 4),
        make(0, chroma, height, 2, 1, 3, 4),
      ]
    case .rgb, .bgr: (0..<3).map { make(0, width, height, 1, 1, $0, 3) }
    case .mjpeg: []
    }
  }

  static func scaled(
    _ frame: TestFrame, to size: FrameSize, threadCount: Int = 1
  ) throws -> ScaledFrame {
    try frame.bytes.withUnsafeBytes {
      try ScaledFrame(of: $0, format: frame.format, size: size, threadCount: threadCount)
    }
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `Each sample is the mean of its area, as in floating point`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<25 {
      let frame = TestFrame.random(upTo: 70, using: &generator)
      let size = FrameSize(
        width: Int.random(in: 1...frame.format.size.width, using: &generator),
        height: Int.random(in: 1...frame.format.size.height, using: &generator))
      let threadCount = Int.random(in: 0...5, using: &generator)
      let copy = try Self.scaled(frame, to: size, threadCount: threadCount)
      let name = "seed \(seed), round \(round): \(frame.format) to \(size)"
      #expect(copy.format.size == size && copy.format.colorSpace == frame.format.colorSpace)
      #expect(copy.bytes.count == copy.format.byteCount)
      let (across, down) = (
        Double(frame.format.size.width) / Double(size.width),
        Double(frame.format.size.height) / Double(size.height)
      )
      var worst = 0.0
      let pairs = zip(
        Self.samples(frame.format, frame.bytes), Self.samples(copy.format, copy.bytes))
      for (source, target) in pairs {
        for row in 0..<target.rows {
          for column in 0..<target.columns {
            let (x, y) = (target.across * across, target.down * down)
            let wanted = source.mean(
              Double(column) * x...Double(column + 1) * x, Double(row) * y...Double(row + 1) * y)
            worst = max(worst, abs(target.value(column, row) - wanted))
          }
        }
      }
      #expect(worst <= 0.75, "\(name)")
    }
  }

  @Test
  func `White stays white, black stays black, and the same size stays the same`() throws {
    for level in [UInt8.min, 128, .max] {
      var frame = TestFrame(
        .yuv420, .jpeg, width: 617, height: 233, paint: { _, _ in RGB(red: 0, green: 0, blue: 0) })
      frame.bytes = frame.bytes.map { _ in level }
      let copy = try Self.scaled(frame, to: FrameSize(width: 101, height: 7))
      for samples in Self.samples(copy.format, copy.bytes) {
        for row in 0..<samples.rows {
          #expect((0..<samples.columns).allSatisfy { samples.value($0, row) == Double(level) })
        }
      }
    }
    let page = TestPage(5, width: 80, height: 60)
    let frame = TestFrame(.yuv420, .jpeg, width: 80, height: 60) { x, y in
      RGB(red: page.luma[y * 80 + x], green: 90, blue: 120)
    }
    #expect(try Self.scaled(frame, to: frame.format.size).bytes == frame.bytes)
  }

  @Test(arguments: JPEGEncoderTests.inputs)
  func `Color bars keep their colors`(_ input: JPEGEncoderTests.Input) throws {
    let frame = TestFrame(
      input.pixelFormat, input.colorSpace, width: 512, height: 256,
      paint: TestFrame.bars(width: 512, height: 256))
    let copy = try Self.scaled(frame, to: FrameSize(width: 160, height: 80), threadCount: 2)
    let picture = try DecodedPicture(
      jpeg: JPEGEncoderTests.encode(TestFrame(format: copy.format, bytes: copy.bytes), quality: 95))
    for bar in 0..<8 {
      let color = picture.color(bar * 20 + 10, 20)
      #expect(color.distance(to: TestFrame.color(ofBar: bar)) <= 5, "bar \(bar): \(color)")
    }
  }

  @Test(arguments: ["1x1", "2x1", "2x2", "1x2", "4x1", "gray"])
  func `An MJPEG frame with any sampling is decoded`(_ sampling: String) throws {
    let page = TestPage(11, width: 331, height: 243)
    let gray = page.frame(.rgb)
    let options = sampling == "gray" ? ["-grayscale"] : ["-sample", sampling]
    var ppm = Array("P6\n331 243\n255\n".utf8)
    for row in 0..<243 {
      let start = row * gray.format.bytesPerRow
      ppm += gray.bytes[start..<start + 3 * 331]
    }
    let jpeg = [UInt8](
      try Tool.withFile(ppm) { try Tool.output(of: "cjpeg", ["-quality", "95"] + options + [$0]) })
    let format = StreamFormat(
      size: FrameSize(width: 331, height: 243), pixelFormat: .mjpeg, bytesPerRow: 0,
      colorSpace: .unspecified)
    let copy = try Self.scaled(
      TestFrame(format: format, bytes: jpeg), to: FrameSize(width: 110, height: 81))
    let direct = try Self.scaled(gray, to: FrameSize(width: 110, height: 81))
    let luma = Self.samples(copy.format, copy.bytes)[0]
    let wanted = Self.samples(direct.format, direct.bytes)[0]
    var squares = 0.0
    for row in 0..<81 {
      for column in 0..<110 {
        squares += pow(luma.value(column, row) - wanted.value(column, row), 2)
      }
    }
    #expect((squares / (81 * 110)).squareRoot() < 3)
    #expect(copy.format.pixelFormat == .yuv420)
    // Gray has no chroma: the samples are 128, apart from the loss by compression.
    let chroma = copy.bytes[(copy.format.planes[1].offset)...]
    #expect(chroma.allSatisfy { abs(Int($0) - 128) <= 3 })
  }

  @Test
  func `Larger copies, empty copies and bad frames are refused`() throws {
    let frame = TestFrame(
      .nv12, .jpeg, width: 40, height: 30, paint: { _, _ in RGB(red: 0, green: 0, blue: 0) })
    for size in [(41, 30), (40, 31), (0, 5), (5, 0), (-1, 5), (.max, 1)] {
      let error = #expect(throws: ImagingError.self) {
        try Self.scaled(frame, to: FrameSize(width: size.0, height: size.1))
      }
      #expect(error?.code == .unsupported)
    }
    var short = frame
    short.bytes.removeLast(40)
    let error = #expect(throws: ImagingError.self) {
      try Self.scaled(short, to: FrameSize(width: 4, height: 3))
    }
    #expect(error?.code == .malformedFrame)
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `Damaged MJPEG frames are either refused or copied`(_ seed: UInt64) throws {
    let jpeg = try MotionJPEGTests.whole()
    var generator = SeededGenerator(seed: seed)
    var outcomes = (copied: 0, refused: 0)
    for round in 0..<300 {
      var damaged = jpeg
      MotionJPEGTests.mutate(&damaged, using: &generator)
      do {
        let copy = try Self.scaled(
          TestFrame(format: MotionJPEGTests.format, bytes: damaged),
          to: FrameSize(width: 16, height: 12))
        outcomes.copied += 1
        #expect(copy.bytes.count == 16 * 12 * 3 / 2)
      } catch let error as ImagingError {
        outcomes.refused += 1
        let codes: [ImagingError.Code] = [.malformedJPEG, .unsupported]
        #expect(codes.contains(error.code), "seed \(seed), round \(round): \(error)")
      }
    }
    #expect(outcomes.copied > 0 && outcomes.refused > 0, "seed \(seed): \(outcomes)")
  }
}
