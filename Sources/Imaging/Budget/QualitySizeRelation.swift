#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How the size of a picture's JPEG image goes with its quality, as far as has been tried.
///
/// The logarithm of the size is close to a straight line over the logarithm of the scale by which
/// libjpeg multiplies its quantization tables (`jpeg_quality_scaling`).
struct QualitySizeRelation: Hashable {
  /// A quality and the size that came of it.
  struct Point: Hashable {
    /// 1...100.
    var quality: Int
    /// Bytes, at least 1.
    var byteCount: Int
  }

  /// How much the logarithm of the size falls for one of the scale, when nothing is known.
  static let typicalSlope = 0.6
  private static let plausibleSlopes = 0.15...1.5

  /// What the prediction starts from.
  let point: Point
  /// How much the logarithm of the size falls for one of the scale.
  let slope: Double

  /// A relation through one point.
  init(_ point: Point, slope: Double = typicalSlope) {
    self.point = point
    self.slope = min(max(slope, Self.plausibleSlopes.lowerBound), Self.plausibleSlopes.upperBound)
  }

  /// A relation through two points, the first of which is the nearer to what is wanted.
  init(_ near: Point, _ far: Point, otherwise slope: Double) {
    let run = Self.scale(near.quality) - Self.scale(far.quality)
    let rise = Self.size(far.byteCount) - Self.size(near.byteCount)
    self.init(near, slope: run == 0 || rise == 0 ? slope : rise / run)
  }

  /// The quality whose image should have so many bytes, 1...100.
  func quality(for byteCount: Int) -> Int {
    let wanted =
      Self.scale(point.quality) - (Self.size(byteCount) - Self.size(point.byteCount)) / slope
    let percent = exp(min(max(wanted, 0), 10))
    let quality = percent > 100 ? 5000 / percent : 100 - percent / 2
    return Int(min(max(quality.rounded(), 1), 100))
  }

  /// The logarithm of the tables' scale in percent; that of quality 100 is 0, but counts as 1.
  private static func scale(_ quality: Int) -> Double {
    let quality = Double(min(max(quality, 1), 100))
    return log(max(quality < 50 ? 5000 / quality : 200 - 2 * quality, 1))
  }

  private static func size(_ byteCount: Int) -> Double { log(Double(max(byteCount, 1))) }
}
