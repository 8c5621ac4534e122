import Devices

/// A side of a sheet in a frame: a line that is fitted to the step of the light, within a pixel.
struct SheetEdge {
  /// The line, given by two points.
  let line: (SIMD2<Double>, SIMD2<Double>)
  /// The difference between sheet and ground at the side, in levels of 255.
  let contrast: Double

  /// The number of places of a side that are examined.
  private static let probeCount = 240
  /// The share of a side at each end that is skipped, because corners may be bent.
  private static let margin = 0.06
  /// The minimum share of the places that must lie on the line.
  private static let leastShare = 0.6
  /// The tolerated median distance from the line, as a share of the side: a lens bends lines.
  private static let bend = 0.003
  /// The number of samples on each side of a step that are examined.
  private static let halfWindow = 5

  /// Finds a side.
  ///
  /// - Parameters:
  ///   - plane: the frame.
  ///   - side: the approximate side, with the sheet on its right.
  ///   - reach: the maximum distance of the real side, in pixels.
  ///   - isLight: whether the sheet is lighter than the ground.
  /// - Throws: ``SheetRefusal``: `unclearEdge`.
  init(
    in plane: LumaPlane, near side: (from: SIMD2<Double>, to: SIMD2<Double>), reach: Int,
    isLight: Bool
  ) throws(SheetRefusal) {
    let length = (side.to - side.from).length
    let along = (side.to - side.from) / length
    let outward = SIMD2(along.y, -along.x)
    var steps: [(place: Double, offset: Double, contrast: Double)] = []
    for index in 0..<Self.probeCount {
      let share = (Double(index) + 0.5) / Double(Self.probeCount)
      let place = length * (Self.margin + (1 - 2 * Self.margin) * share)
      let profile = plane.profile(
        at: side.from + along * place, along: along, outward: outward, reach: reach)
      if let step = Self.step(in: profile, isLight: isLight) {
        steps.append((place, step.offset - Double(reach), step.contrast))
      }
    }
    let least = Self.leastShare * Double(Self.probeCount)
    var fit = LineFit(median: steps.map { ($0.place, $0.offset) })
    for _ in 0..<3 where Double(steps.count) >= least {
      let errors = steps.map { abs(fit.offset(at: $0.place) - $0.offset) }
      let median = errors.sorted()[errors.count / 2]
      guard median < max(1, length * Self.bend) else { throw .unclearEdge }
      // The tolerance is three standard deviations of a normal distribution.
      let tolerance = max(0.5, 4.4 * median)
      steps = zip(steps, errors).filter { $1 <= tolerance }.map(\.0)
      fit = LineFit(squares: steps.map { ($0.place, $0.offset) })
    }
    guard Double(steps.count) >= least else { throw .unclearEdge }
    line = (
      side.from + outward * fit.offset(at: 0),
      side.from + along * length + outward * fit.offset(at: length)
    )
    let contrasts = steps.map(\.contrast).sorted()
    contrast =
      contrasts[contrasts.count / 2] * 255 / Double(plane.range.upperBound - plane.range.lowerBound)
  }

  /// Returns the point where two sides meet; `nil` when they are parallel.
  func meeting(_ other: SheetEdge) -> SIMD2<Double>? {
    let (one, two) = (line.1 - line.0, other.line.1 - other.line.0)
    let turn = one.cross(two)
    guard abs(turn) > 1e-6 * one.length * two.length else { return nil }
    return line.0 + one * ((other.line.0 - line.0).cross(two) / turn)
  }

  /// Returns the place of the outermost strong step of a profile from the sheet to the ground.
  ///
  /// The place is in samples. Print on the sheet makes steps too. At the place, as much light is
  /// missing on one side as is in excess on the other. No symmetrical blur moves this place.
  private static func step(
    in profile: [Double], isLight: Bool
  ) -> (offset: Double, contrast: Double)? {
    let half = halfWindow
    let sign: Double = isLight ? 1 : -1
    func sum(_ range: Range<Int>) -> Double { profile[range].reduce(0, +) }
    let places = half..<profile.count - half
    let slopes = places.map { (sum($0 - 3..<$0) - sum($0 + 1..<$0 + 4)) * sign }
    let strong = 0.6 * (slopes.max() ?? 0)
    guard strong > 0, var index = slopes.lastIndex(where: { $0 >= strong }) else { return nil }
    while index > 0, slopes[index - 1] > slopes[index] { index -= 1 }
    let strongest = places.lowerBound + index
    let inside = sum(strongest - half..<strongest - half + 3) / 3
    let outside = sum(strongest + half - 2..<strongest + half + 1) / 3
    let contrast = (inside - outside) * sign
    guard contrast > 1 else { return nil }
    let window = strongest - half..<strongest + half + 1
    let share = (sum(window) - outside * Double(window.count)) / (inside - outside)
    return (Double(window.lowerBound) - 0.5 + share, contrast)
  }
}

/// A line through places and offsets.
private struct LineFit {
  private let slope: Double
  private let start: Double

  /// Fits the line of the median slope and the median offset.
  ///
  /// The slopes are between points half the line apart. Up to a quarter of the points may lie
  /// anywhere.
  init(median points: [(place: Double, offset: Double)]) {
    let half = points.count / 2
    let slopes = zip(points, points.dropFirst(half)).compactMap { one, other in
      other.place > one.place ? (other.offset - one.offset) / (other.place - one.place) : nil
    }.sorted()
    let slope = slopes.isEmpty ? 0 : slopes[slopes.count / 2]
    let starts = points.map { $0.offset - slope * $0.place }.sorted()
    self.slope = slope
    start = starts.isEmpty ? 0 : starts[starts.count / 2]
  }

  /// Fits the line of least squares.
  init(squares points: [(place: Double, offset: Double)]) {
    let count = Double(max(1, points.count))
    let place = points.reduce(0) { $0 + $1.place } / count
    let offset = points.reduce(0) { $0 + $1.offset } / count
    let spread = points.reduce(0) { $0 + ($1.place - place) * ($1.place - place) }
    let shared = points.reduce(0) { $0 + ($1.place - place) * ($1.offset - offset) }
    slope = spread > 0 ? shared / spread : 0
    start = offset - slope * place
  }

  func offset(at place: Double) -> Double { start + slope * place }
}

extension LumaPlane {
  /// Reads the samples across a line from inside to outside, a pixel apart.
  ///
  /// Each sample is the mean of five along the line.
  fileprivate func profile(
    at point: SIMD2<Double>, along: SIMD2<Double>, outward: SIMD2<Double>, reach: Int
  ) -> [Double] {
    (-reach...reach).map { offset in
      let middle = point + outward * Double(offset)
      return (-2...2).reduce(0) { $0 + sample(middle + along * Double($1)) } / 5
    }
  }

  /// Interpolates the luma between samples; outside the frame the border's value counts.
  private func sample(_ point: SIMD2<Double>) -> Double {
    let x = min(max(point.x, 0), Double(size.width - 1))
    let y = min(max(point.y, 0), Double(size.height - 1))
    let (column, row) = (min(Int(x), size.width - 2), min(Int(y), size.height - 2))
    let (right, down) = (x - Double(column), y - Double(row))
    let first = start + row * bytesPerRow + column * step
    let second = first + bytesPerRow
    let upper = Double(first[0]) * (1 - right) + Double(first[step]) * right
    let lower = Double(second[0]) * (1 - right) + Double(second[step]) * right
    return upper * (1 - down) + lower * down
  }
}
