/// The four corners of a page in pixels, clockwise from the top left; a pixel's middle is at a half.
struct Quadrilateral: Sendable, Hashable {
  var corners: [SIMD2<Double>]

  /// The sides, from each corner to the next.
  var sides: [(from: SIMD2<Double>, to: SIMD2<Double>)] {
    corners.indices.map { (corners[$0], corners[($0 + 1) % corners.count]) }
  }

  /// The area that the sides enclose.
  var area: Double { sides.reduce(0) { $0 + $1.from.cross($1.to) } / 2 }

  /// The mean of the corners.
  var middle: SIMD2<Double> { corners.reduce(.zero, +) / Double(corners.count) }

  /// The whole picture.
  static func whole(width: Int, height: Int) -> Quadrilateral {
    let (right, bottom) = (Double(width), Double(height))
    return Quadrilateral(
      corners: [SIMD2(0, 0), SIMD2(right, 0), SIMD2(right, bottom), SIMD2(0, bottom)])
  }

  /// Whether a point is within the sides.
  func contains(_ point: SIMD2<Double>) -> Bool {
    sides.allSatisfy { ($0.to - $0.from).cross(point - $0.from) >= 0 }
  }

  /// Whether a point is beyond a side by more than a distance.
  func isBeyond(_ distance: Double, _ point: SIMD2<Double>) -> Bool {
    sides.contains { side in
      let along = side.to - side.from
      return along.cross(point - side.from) < -distance * along.length
    }
  }

  /// Returns the outline made smaller around its middle.
  func shrunk(to share: Double) -> Quadrilateral {
    let middle = middle
    return Quadrilateral(corners: corners.map { middle + ($0 - middle) * share })
  }

  /// Returns the outline in a picture of another size whose first pixel is elsewhere.
  func scaled(by factor: SIMD2<Double>, from origin: SIMD2<Double> = .zero) -> Quadrilateral {
    Quadrilateral(corners: corners.map { ($0 - origin) * factor })
  }

  /// Returns the columns of a row whose middles are within the sides.
  func span(ofRow row: Int) -> Range<Int> {
    let y = Double(row) + 0.5
    var (left, right) = (-1e6, 1e6)
    for side in sides {
      let along = side.to - side.from
      guard along.y != 0 else {
        if along.x * (y - side.from.y) < 0 { return 0..<0 }
        continue
      }
      let x = side.from.x + along.x * (y - side.from.y) / along.y
      // A side that goes up has the page on its right.
      if along.y < 0 { left = max(left, x) } else { right = min(right, x) }
    }
    let (first, end) = (Int((left - 0.5).rounded(.up)), Int((right - 0.5).rounded(.down)) + 1)
    return first < end ? first..<end : 0..<0
  }

  /// The smallest box of whole pixels around the corners, within a picture.
  func box(width: Int, height: Int) -> PixelBox {
    func span(_ values: [Double], _ length: Int) -> (first: Int, count: Int) {
      let first = min(max(Int((values.min() ?? 0).rounded(.down)), 0), length - 1)
      let end = min(max(Int((values.max() ?? 0).rounded(.up)), first + 1), length)
      return (first, end - first)
    }
    let columns = span(corners.map(\.x), width)
    let rows = span(corners.map(\.y), height)
    return PixelBox(x: columns.first, y: rows.first, width: columns.count, height: rows.count)
  }
}

extension SIMD2<Double> {
  /// The length of the vector.
  var length: Double { (self * self).sum().squareRoot() }

  /// Returns the area that the vector spans with another, above 0 when the other lies clockwise.
  func cross(_ other: Self) -> Double { x * other.y - y * other.x }
}
