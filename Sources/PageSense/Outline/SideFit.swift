/// A side of a page: a line through the border of its part, which hands may interrupt.
struct SideFit {
  /// The line, given by a point and a direction.
  let origin: SIMD2<Double>
  let direction: SIMD2<Double>

  /// The shares of a side that are skipped at each end, and within which points belong to it.
  private static let (margin, reach) = (0.06, 0.05)
  /// The minimum shares of a side's places that have points, and of the points on the line.
  private static let (leastPlaces, leastPoints) = (0.35, 0.35)
  /// The tolerated distance of a point from the line, in pixels.
  private static let tolerance = 1.5

  /// Fits a line near two corners; `nil` if too few points are on a line.
  init?(_ points: [SIMD2<Double>], from start: SIMD2<Double>, to end: SIMD2<Double>) {
    let length = (end - start).length
    guard length >= 4 else { return nil }
    let along = (end - start) / length
    var places: [(place: Double, offset: Double)] = []
    for point in points {
      let step = point - start
      let place = (step * along).sum()
      let offset = step.x * along.y - step.y * along.x
      if place >= Self.margin * length, place <= (1 - Self.margin) * length,
        abs(offset) <= max(3, Self.reach * length)
      {
        places.append((place, offset))
      }
    }
    guard places.count >= 10, Double(places.count) >= Self.leastPlaces * length else { return nil }
    places.sort { $0.place < $1.place }
    // The median slope between points half the side apart bears a quarter of wrong points.
    let half = places.count / 2
    let slopes = zip(places, places.dropFirst(half)).compactMap { one, other in
      other.place > one.place ? (other.offset - one.offset) / (other.place - one.place) : nil
    }.sorted()
    var slope = slopes.isEmpty ? 0 : slopes[slopes.count / 2]
    let offsets = places.map { $0.offset - slope * $0.place }.sorted()
    var first = offsets[offsets.count / 2]
    for _ in 0..<2 {
      let near = places.filter { abs($0.offset - first - slope * $0.place) <= Self.tolerance }
      guard Double(near.count) >= Self.leastPoints * Double(places.count), !near.isEmpty else {
        return nil
      }
      let count = Double(near.count)
      let place = near.reduce(0) { $0 + $1.place } / count
      let offset = near.reduce(0) { $0 + $1.offset } / count
      let spread = near.reduce(0) { $0 + ($1.place - place) * ($1.place - place) }
      let shared = near.reduce(0) { $0 + ($1.place - place) * ($1.offset - offset) }
      slope = spread > 0 ? shared / spread : 0
      first = offset - slope * place
    }
    let outward = SIMD2(along.y, -along.x)
    origin = start + outward * first
    direction = along + outward * slope
  }

  /// Returns the point where two sides meet; `nil` when they are parallel.
  func meeting(_ other: SideFit) -> SIMD2<Double>? {
    let turn = direction.cross(other.direction)
    guard abs(turn) > 1e-6 else { return nil }
    return origin + direction * ((other.origin - origin).cross(other.direction) / turn)
  }
}
