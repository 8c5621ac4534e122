import Devices

/// The outline of a sheet in a picture: four corners, clockwise.
struct SheetOutline: Sendable, Hashable {
  /// The corners in pixels from the middle of the first pixel; y goes down.
  var corners: [SIMD2<Double>]

  /// The sides, from each corner to the next.
  var sides: [(from: SIMD2<Double>, to: SIMD2<Double>)] {
    corners.indices.map { (corners[$0], corners[($0 + 1) % corners.count]) }
  }

  /// The lengths of the sides.
  var lengths: [Double] { sides.map { ($0.to - $0.from).length } }

  /// The middle of the corners.
  var center: SIMD2<Double> { corners.reduce(.zero, +) / Double(corners.count) }

  /// The area that the sides enclose.
  var area: Double { sides.reduce(0) { $0 + $1.from.cross($1.to) } / 2 }

  /// The mean lengths of opposite sides: of the first and third, and of the second and fourth.
  var means: (Double, Double) {
    let lengths = lengths
    return ((lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2)
  }

  /// The largest difference of opposite sides, as a share of their mean.
  var keystone: Double {
    let (lengths, means) = (lengths, means)
    return max(
      abs(lengths[0] - lengths[2]) / means.0, abs(lengths[1] - lengths[3]) / means.1)
  }

  /// The mean of the longer sides as a multiple of the mean of the shorter sides.
  var ratio: Double { max(means.0, means.1) / min(means.0, means.1) }

  /// Whether all corners lie within a margin of a picture, and no side is too short to be fitted.
  func isWithin(_ size: FrameSize, margin: Double) -> Bool {
    corners.allSatisfy {
      (-margin...Double(size.width) + margin).contains($0.x)
        && (-margin...Double(size.height) + margin).contains($0.y)
    } && lengths.allSatisfy { $0 >= 20 }
  }

  /// Whether an outline with the same edges was fitted, be it from other rough corners.
  func isSame(as other: SheetOutline) -> Bool {
    (center - other.center).length < 1 && abs(area / other.area - 1) < 0.01
  }

  /// Whether a point is within the sides.
  func contains(_ point: SIMD2<Double>) -> Bool {
    sides.allSatisfy { ($0.to - $0.from).cross(point - $0.from) >= 0 }
  }
}

extension SIMD2<Double> {
  /// The length of the vector.
  var length: Double { (self * self).sum().squareRoot() }

  /// Returns the area that the vector spans with another, above 0 when the other lies clockwise.
  func cross(_ other: Self) -> Double { x * other.y - y * other.x }
}
