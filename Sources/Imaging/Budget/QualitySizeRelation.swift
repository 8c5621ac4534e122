import Glibc

/// The relation of a JPEG image's size to its quality, as far as the tries show it.
///
/// The logarithm of the size is close to a straight line over the logarithm of the scale by which
/// libjpeg multiplies its quantization tables (`jpeg_quality_scaling`).
struct QualitySizeRelation: Hashable {
  /// A quality and the resulting size.
  struct Point: Hashable {
    /// The quality, 1...100.
    var quality: Int
    /// The size in bytes, at least 1.
    var byteCount: Int
  }

  /// The slope of a picture of which nothing is known.
  static let typicalSlope = 0.6
  private static let plausibleSlopes = 0.15...1.5

  /// The point from which the prediction starts.
  let point: Point
  /// The fall of the size's logarithm for each unit of the scale's logarithm.
  let slope: Double

  /// Makes a relation through one point.
  init(_ point: Point, slope: Double = typicalSlope) {
    self.point = point
    self.slope = min(max(slope, Self.plausibleSlopes.lowerBound), Self.plausibleSlopes.upperBound)
  }

  /// Makes a relation through two points, of which the first is nearer to the wanted size.
  init(_ near: Point, _ far: Point, otherwise slope: Double) {
    let run = Self.scale(near.quality) - Self.scale(far.quality)
    let rise = Self.size(far.byteCount) - Self.size(near.byteCount)
    self.init(near, slope: run == 0 || rise == 0 ? slope : rise / run)
  }

  /// Returns the quality at which the image should have this number of bytes, 1...100.
  func quality(for byteCount: Int) -> Int {
    let wanted =
      Self.scale(point.quality) - (Self.size(byteCount) - Self.size(point.byteCount)) / slope
    let percent = exp(min(max(wanted, 0), 10))
    let quality = percent > 100 ? 5000 / percent : 100 - percent / 2
    return Int(min(max(quality.rounded(), 1), 100))
  }

  /// Returns the logarithm of the tables' scale in percent; a scale of 0 (quality 100) counts as 1.
  private static func scale(_ quality: Int) -> Double {
    let quality = Double(min(max(quality, 1), 100))
    return log(max(quality < 50 ? 5000 / quality : 200 - 2 * quality, 1))
  }

  private static func size(_ byteCount: Int) -> Double { log(Double(max(byteCount, 1))) }
}
