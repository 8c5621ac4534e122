/// A projective map of the plane, which takes straight lines to straight lines.
struct Homography: Sendable {
  /// The rows of the matrix: two for the place, and one for the divisor.
  let x: SIMD3<Double>, y: SIMD3<Double>, divisor: SIMD3<Double>

  init(x: SIMD3<Double>, y: SIMD3<Double>, divisor: SIMD3<Double> = SIMD3(0, 0, 1)) {
    self.x = x
    self.y = y
    self.divisor = divisor
  }

  /// Makes the map that multiplies places, and then adds a distance.
  init(scale: SIMD2<Double>, offset: SIMD2<Double> = .zero) {
    self.init(x: SIMD3(scale.x, 0, offset.x), y: SIMD3(0, scale.y, offset.y))
  }

  /// Makes the map from the square of the side 1 to a convex quadrilateral.
  ///
  /// The solution for this square needs no system of equations (Heckbert, *Fundamentals of Texture
  /// Mapping and Image Warping*, 1989, 2.2.3).
  ///
  /// - Parameter corners: the four corners, clockwise from the one of the place 0, 0.
  init(unitSquareTo corners: [SIMD2<Double>]) {
    let (one, two) = (corners[1] - corners[2], corners[3] - corners[2])
    let sum = corners[0] - corners[1] + corners[2] - corners[3]
    let area = one.cross(two)
    let (g, h) = (sum.cross(two) / area, one.cross(sum) / area)
    let across = corners[1] - corners[0] + corners[1] * g
    let down = corners[3] - corners[0] + corners[3] * h
    self.init(
      x: SIMD3(across.x, down.x, corners[0].x), y: SIMD3(across.y, down.y, corners[0].y),
      divisor: SIMD3(g, h, 1))
  }

  /// Returns the map that does another one first.
  func after(_ first: Homography) -> Homography {
    func row(_ row: SIMD3<Double>) -> SIMD3<Double> {
      first.x * row.x + first.y * row.y + first.divisor * row.z
    }
    return Homography(x: row(x), y: row(y), divisor: row(divisor))
  }

  /// Returns the place of a point.
  func callAsFunction(_ point: SIMD2<Double>) -> SIMD2<Double> {
    let point = SIMD3(point, 1)
    return SIMD2((x * point).sum(), (y * point).sum()) / (divisor * point).sum()
  }

  /// Returns the direction at a point that the map turns into a direction.
  ///
  /// The length of the result has no meaning.
  func source(of direction: SIMD2<Double>, at point: SIMD2<Double>) -> SIMD2<Double> {
    let place = self(point)
    let (across, down) = (x - divisor * place.x, y - divisor * place.y)
    return SIMD2(
      down.y * direction.x - across.y * direction.y, across.x * direction.y - down.x * direction.x)
  }
}
