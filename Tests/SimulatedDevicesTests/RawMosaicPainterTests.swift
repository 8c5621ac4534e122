import Devices
import Testing

@testable import SimulatedDevices

@Suite struct RawMosaicPainterTests {
  private static let size = FrameSize(width: 240, height: 136)

  private func painter(_ format: RawFormat) throws -> RawMosaicPainter {
    try #require(RawMosaicPainter(format, gains: WhiteBalanceGains(red: 1.8, blue: 1.6)))
  }

  private func even(_ light: Float) -> LinearPicture {
    LinearPicture(
      size: Self.size, samples: [Float](repeating: light, count: 3 * Self.size.area))
  }

  private func chart() -> LinearPicture {
    let format = StreamFormat(
      size: Self.size, pixelFormat: .rgb, bytesPerRow: 720, colorSpace: .unspecified)
    return PageScene(page: 1, turn: .none, format: format).picture(of: LinearScene(.chart))
  }

  /// Returns the numbers of a mosaic's pixels, row by row.
  private func numbers(
    _ picture: LinearPicture, by painter: RawMosaicPainter, brightness: Double = 1,
    gain: Double = 1, number: UInt64 = 1
  ) -> [UInt16] {
    let bytes = painter.bytes(
      of: picture, brightness: brightness, analogueGain: gain, seed: 5, number: number)
    let bytesPerRow = painter.bytesPerRow(width: Self.size.width)
    return (0..<Self.size.area).map { index in
      let (x, row) = (index % Self.size.width, index / Self.size.width * bytesPerRow)
      guard painter.format.packing == .csi2 else {
        return UInt16(bytes[row + 2 * x]) | UInt16(bytes[row + 2 * x + 1]) << 8
      }
      let low = UInt16(bytes[row + x / 2 * 3 + 2])
      return UInt16(bytes[row + x / 2 * 3 + x % 2]) << 4 | (x % 2 == 0 ? low & 0xF : low >> 4)
    }
  }

  @Test(
    arguments: [
      (RawFormat(mosaic: .rggb, bitDepth: 12, packing: .none), 1.0),
      (RawFormat(mosaic: .bggr, bitDepth: 12, packing: .csi2), 4),
      (RawFormat(mosaic: .grbg, bitDepth: 12, packing: .none), 16),
      (RawFormat(mosaic: .gbrg, bitDepth: 12, packing: .csi2), 1),
    ] as [(RawFormat, Double)])
  func `a mosaic is the linear scene within the noise`(format: RawFormat, gain: Double) throws {
    let painter = try painter(format)
    let properties = painter.properties
    let chart = chart()
    let numbers = numbers(chart, by: painter, brightness: 0.5, gain: gain)
    let letters = Array(format.mosaic.rawValue)
    let rows: [Character: Int] = ["r": 0, "g": 3, "b": 6]
    let range = properties.whiteLevel - properties.blackLevels[0]
    let response = SensorResponse(analogueGain: gain)
    var (squares, outliers) = (0.0, 0)
    for index in 0..<Self.size.area {
      let (x, y) = (index % Self.size.width, index / Self.size.width)
      let row = rows[letters[y % 2 * 2 + x % 2]] ?? 0
      let rgb = (0..<3).map { Double(chart.samples[3 * index + $0]) }
      let xyz = Self.product(Self.xyzFromRGB, rgb)
      let camera = Self.product(Array(properties.colorMatrix[row..<(row + 3)]), xyz)[0] * 0.5
      let variance = response.variance(ofElectrons: camera * 8180 / gain)
      let deviation = variance.squareRoot() * gain / 8180 * range
      let expected = properties.blackLevels[0] + camera * range
      let residual = (Double(numbers[index]) - expected) / deviation
      squares += residual * residual
      if abs(residual) > 6 { outliers += 1 }
    }
    #expect(outliers == 0)
    let variance = squares / Double(Self.size.area)
    #expect(abs(variance - 1) < 0.06, "\(variance)")
  }

  @Test func `packed numbers equal unpacked ones, and frames differ`() throws {
    let plain = try painter(RawFormat(mosaic: .rggb, bitDepth: 12, packing: .none))
    let packed = try painter(RawFormat(mosaic: .rggb, bitDepth: 12, packing: .csi2))
    let chart = chart()
    #expect(numbers(chart, by: plain) == numbers(chart, by: packed))
    #expect(numbers(chart, by: packed) != numbers(chart, by: packed, number: 2))
  }

  @Test func `white is neutral, darkness is the black level, and a full pixel the white level`()
    throws
  {
    let painter = try painter(RawFormat(mosaic: .rggb, bitDepth: 12, packing: .csi2))
    let properties = painter.properties
    let white = Self.product(
      properties.colorMatrix, Self.product(Self.xyzFromRGB, [1, 1, 1]))
    #expect(zip(white, properties.neutral).allSatisfy { abs($0 - $1) < 1e-3 }, "\(white)")
    #expect(numbers(even(8), by: painter).allSatisfy { $0 == 4095 })
    let dark = numbers(even(0), by: painter).reduce(0.0) { $0 + Double($1) }
    #expect(abs(dark / Double(Self.size.area) - properties.blackLevels[0]) < 0.1)
  }

  /// The matrix from linear sRGB to XYZ with white D65 (IEC 61966-2-1).
  private static let xyzFromRGB = [
    0.4124564, 0.3575761, 0.1804375, 0.2126729, 0.7151522, 0.0721750, 0.0193339, 0.1191920,
    0.9503041,
  ]

  private static func product(_ matrix: [Double], _ vector: [Double]) -> [Double] {
    (0..<(matrix.count / 3)).map { (row: Int) -> Double in
      (0..<3).reduce(0.0) { $0 + matrix[3 * row + $1] * vector[$1] }
    }
  }
}
