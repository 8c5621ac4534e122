import Devices
import TestSupport

@testable import Imaging

/// A picture of sheets with known corners, as a lens and a sensor would show them.
struct SheetPicture {
  var size = FrameSize(width: 640, height: 480)
  var ground = 60.0
  var paper = 220.0
  /// The brightness at the left border and at the right one, as factors.
  var light = (left: 1.0, right: 1.0)
  /// The largest deviation of a sample.
  var noise = 2.0
  /// The seed of the noise.
  var seed = TestSeed.value
  /// The width of an edge in pixels.
  var blur = 1.0
  /// Whether there is print on the sheets, up to 3 % of their width from their sides.
  var isPrinted = false
  /// The sheets, each lying on those before it.
  var sheets: [SheetOutline] = []
  /// The lightness of the first sheets, as far as it differs from ``paper``.
  var levels: [Double] = []

  /// Returns the corners of a sheet about a point, turned clockwise.
  ///
  /// - Parameter keystone: the share by which the first side is shorter and the third longer.
  static func outline(
    at center: (Double, Double), width: Double, height: Double, turned degrees: Double = 0,
    keystone: Double = 0
  ) -> SheetOutline {
    let angle = degrees * .pi / 180
    // The series has enough terms for 45 degrees.
    let sine = angle - angle * angle * angle / 6 + angle * angle * angle * angle * angle / 120
    let cosine = (1 - sine * sine).squareRoot()
    let (top, bottom) = (width * (1 - keystone / 2) / 2, width * (1 + keystone / 2) / 2)
    let corners = [(-top, -height), (top, -height), (bottom, height), (-bottom, height)]
    return SheetOutline(
      corners: corners.map { x, y in
        SIMD2(
          center.0 + x * cosine - y / 2 * sine, center.1 + x * sine + y / 2 * cosine)
      })
  }

  /// Returns the luma, row by row.
  func luma() -> [UInt8] {
    var generator = TestSeed.generator(7, seed: seed)
    // So many values that they make no pattern with the rows.
    let noises = (0..<4093).map { _ in Double.random(in: -noise...noise, using: &generator) }
    let painted = sheets.enumerated().map { index, sheet in
      PaintedSheet(sheet, level: index < levels.count ? levels[index] : paper)
    }
    return [UInt8](unsafeUninitializedCapacity: size.area) { luma, count in
      for row in 0..<size.height {
        var levels = [Double](repeating: ground, count: size.width)
        for sheet in painted {
          for column in sheet.columns(of: row, within: blur, width: size.width) {
            let farthest = sheet.distance(to: SIMD2(Double(column), Double(row)))
            guard farthest < blur else { continue }
            let isInk = isPrinted && farthest < -sheet.margin && row / 6 % 2 == 0 && column % 7 < 5
            let step = (isInk ? 30 : sheet.level) - levels[column]
            levels[column] += step * min(max(0.5 - farthest / blur, 0), 1)
          }
        }
        for column in 0..<size.width {
          let brightness =
            light.left + (light.right - light.left) * Double(column) / Double(size.width)
          let sample = (levels[column] * brightness + noises[count % noises.count]).rounded()
          luma[count] = UInt8(min(max(sample, 0), 255))
          count += 1
        }
      }
    }
  }

  /// Measures the picture as a camera of a format would give it.
  func measure(
    _ sheet: SheetSize = SheetSize(210, 297), format: PixelFormat = .yuv420
  ) throws -> SheetScale {
    let luma = luma()
    let stream = StreamFormat(
      size: size, pixelFormat: format, bytesPerRow: size.width * (format == .rgb ? 3 : 1),
      colorSpace: .jpeg)
    var bytes = format == .rgb ? luma.flatMap { [$0, $0, $0] } : luma
    bytes += [UInt8](repeating: 128, count: max(0, stream.byteCount - bytes.count))
    return try bytes.withUnsafeBytes {
      try SheetScale.measure(bytes: $0, format: stream, sheet: sheet).get()
    }
  }
}

/// A sheet as it is painted.
private struct PaintedSheet {
  let level: Double
  /// The distance of the print from the sides.
  let margin: Double
  /// A normal of each side that leads outward, and its distance from the origin.
  private let normals: [SIMD2<Double>]
  private let distances: [Double]

  init(_ outline: SheetOutline, level: Double) {
    self.level = level
    margin = 0.03 * outline.lengths[0]
    normals = outline.sides.map { side in
      let along = (side.to - side.from) / (side.to - side.from).length
      return SIMD2(along.y, -along.x)
    }
    distances = zip(normals, outline.sides).map { ($0 * $1.from).sum() }
  }

  /// Returns the columns of a row in which points within a distance of the sheet may lie.
  ///
  /// All other points are farther outside; most of a picture need not be measured.
  func columns(of row: Int, within distance: Double, width: Int) -> Range<Int> {
    var (first, last) = (0.0, Double(width))
    for index in 0..<4 {
      let normal = normals[index]
      let room = distances[index] + distance - normal.y * Double(row)
      if normal.x > 0 {
        last = min(last, room / normal.x + 1)
      } else if normal.x < 0 {
        first = max(first, room / normal.x - 1)
      } else if room < 0 {
        return 0..<0
      }
    }
    return first < last ? Int(first)..<Int(last.rounded(.up)) : 0..<0
  }

  /// Returns the distance of a point outside of the farthest side, negative inside.
  func distance(to point: SIMD2<Double>) -> Double {
    var farthest = -Double.infinity
    for index in 0..<4 {
      let normal = normals[index]
      farthest = max(farthest, normal.x * point.x + normal.y * point.y - distances[index])
    }
    return farthest
  }
}
