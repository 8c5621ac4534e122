import Devices
import TestSupport

@testable import Imaging

/// Frames of scenes with fine texture, and with a sensor's noise.
struct MergeScene {
  typealias Paint = (_ column: Int, _ row: Int) -> Double

  static let size = FrameSize(width: 216, height: 168)
  private var generator: SeededGenerator

  init(_ purpose: UInt64) {
    generator = TestSeed.generator(purpose)
  }

  /// Returns a texture of dark and bright squares of 3 × 3 pixels, 48 pixels beyond the frame too.
  mutating func texture(_ dark: Double = 90, _ bright: Double = 200) -> Paint {
    let columns = Self.size.width / 3 + 32
    var isBright: [Bool] = []
    for _ in 0..<columns * columns { isBright.append(Bool.random(using: &generator)) }
    return { [isBright] column, row in
      isBright[(row + 48) / 3 * columns + (column + 48) / 3] ? bright : dark
    }
  }

  /// Returns a gray frame with noise of a standard deviation.
  mutating func frame(
    as pixelFormat: PixelFormat = .yuv420, noise: Double = 0, _ paint: Paint
  ) -> TestFrame {
    let (width, height) = (Self.size.width, Self.size.height)
    var levels: [Double] = []
    for row in 0..<height {
      for column in 0..<width {
        // The sum of three such numbers is nearly normal, with a deviation of 1.
        var sum = 0.0
        if noise > 0 {
          for _ in 0..<3 { sum += Double.random(in: -1...1, using: &generator) }
        }
        levels.append(paint(column, row) + noise * sum)
      }
    }
    return TestFrame(pixelFormat, .jpeg, width: width, height: height, extraBytesPerRow: 6) {
      let level = levels[$1 * width + $0]
      return RGB(red: level, green: level, blue: level)
    }
  }
}

extension TestFrame {
  typealias Merge = ([UnsafeRawBufferPointer], StreamFormat) throws -> MergedFrame

  /// Merges frames of one format.
  static func merge(_ frames: [TestFrame], _ work: Merge) throws -> (TestFrame, MergedFrame) {
    let copies = frames.map { frame in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: frame.bytes.count, alignment: 1)
      copy.copyBytes(from: frame.bytes)
      return copy
    }
    defer { copies.forEach { $0.deallocate() } }
    let merged = try work(copies.map { UnsafeRawBufferPointer($0) }, frames[0].format)
    return (TestFrame(format: merged.format, bytes: merged.bytes), merged)
  }

  /// Returns the samples of a kind, row by row.
  func samples(_ samples: SampleGrid) -> [UInt8] {
    (0..<samples.columns * samples.rows).map { index in
      let (row, column) = index.quotientAndRemainder(dividingBy: samples.columns)
      return bytes[samples.offset + row * samples.bytesPerRow + column * samples.step]
    }
  }

  /// Returns the brightness of a field, row by row.
  func brightness(_ columns: Range<Int>, _ rows: Range<Int>) -> [Double] {
    let all = samples(SampleGrid.brightness(of: format))
    return rows.flatMap { row in columns.map { Double(all[row * format.size.width + $0]) } }
  }

  /// Returns the mean squared difference of brightness, in the whole frame or in a field.
  func meanSquare(
    from other: TestFrame, _ columns: Range<Int> = 0..<MergeScene.size.width,
    _ rows: Range<Int> = 0..<MergeScene.size.height
  ) -> Double {
    var sum = 0.0
    for (one, two) in zip(brightness(columns, rows), other.brightness(columns, rows)) {
      sum += (one - two) * (one - two)
    }
    return sum / Double(columns.count * rows.count)
  }
}
