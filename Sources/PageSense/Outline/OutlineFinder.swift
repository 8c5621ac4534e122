import Foundation

/// The search for a bright page on a darker ground, and for covers of other kinds.
///
/// ``SheetFinder`` of Imaging searches for a sheet of a known shape that lies free. A page may be
/// cut off, and a hand may lie over its side. No threshold suits every light, so many are tried, in
/// the picture as it is and with its light made even from side to side.
struct OutlineFinder {
  /// A page that was found.
  struct Page: Sendable, Hashable {
    var outline: Quadrilateral
    /// The number of sides that lie on the picture's border.
    var sidesCutOff: Int
    /// Whether a corner lies beyond the picture, although its sides may be seen for the most part.
    var hasCornerCutOff: Bool
    /// The quality of the page among others: higher for large pages with strong edges.
    var score: Double

    /// Whether a part of the page lies beyond the picture.
    var isCutOff: Bool { sidesCutOff > 0 || hasCornerCutOff }
  }

  private let picture: SmallPicture

  init(_ picture: SmallPicture) { self.picture = picture }

  /// Finds the bright page; `nil` if none stands out.
  func find() -> Page? { best(of: pictures) }

  /// Finds a cover or spine that is darker than its ground, or of another color; `nil` for none.
  ///
  /// The cover must lie free, because the ground beside a page is such a part, too.
  func findCover() -> Page? {
    let lights = pictures
    guard !lights.isEmpty else { return nil }
    let colors = picture.chroma
    // Frames have less resolution in their colors than in their light.
    return best(of: lights.map(\.negative), isFree: true)
      ?? best(of: colors.map(\.negative) + colors, isFree: true)
  }

  /// The pictures to search in; none where there are too few pixels.
  private var pictures: [SmallPicture] {
    guard picture.width >= 16, picture.height >= 16 else { return [] }
    return [picture, evenlyLit()]
  }

  private func best(of pictures: [SmallPicture], isFree: Bool = false) -> Page? {
    pictures.compactMap { best(in: $0, isFree: isFree) }.max { $0.score < $1.score }
  }

  /// Returns the picture without the slope of its light, the same in ratio everywhere.
  private func evenlyLit() -> SmallPicture {
    let middle = SIMD2(Double(picture.width - 1), Double(picture.height - 1)) / 2
    var (slope, spread) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    let logarithms = (0...255).map { log(Double(max($0, 4))) }
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let place = SIMD2(Double(x), Double(y)) - middle
        slope += place * logarithms[Int(picture.luma[y * picture.width + x])]
        spread += place * place
      }
    }
    slope /= spread
    let columns = (0..<picture.width).map { exp(-slope.x * (Double($0) - middle.x)) }
    let rows = (0..<picture.height).map { exp(-slope.y * (Double($0) - middle.y)) }
    var even = picture
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let index = y * picture.width + x
        even.luma[index] = UInt8(min(Double(picture.luma[index]) * columns[x] * rows[y], 255))
      }
    }
    return even
  }

  private func best(in picture: SmallPicture, isFree: Bool) -> Page? {
    var counts = [Int](repeating: 0, count: 256)
    for level in picture.luma { counts[Int(level)] += 1 }
    let darkest = Double(counts.level(atShare: 0.01))
    let brightest = Double(counts.level(atShare: 0.99))
    guard brightest - darkest >= 8 else { return nil }
    let step = (brightest - darkest) / Double(PageThresholds.outlineLevels)
    let whole = PixelBox(x: 0, y: 0, width: picture.width, height: picture.height)
    guard let negative = Pix(picture, part: whole, levels: (0...255).map { UInt8(255 - $0) })
    else { return nil }
    let pages = (0..<PageThresholds.outlineLevels).compactMap { index in
      let level = Int(darkest + step * (Double(index) + 0.5))
      return negative.darker(than: 256 - level).flatMap { page(in: picture, bright: $0) }
    }
    return pages.filter { !isFree || $0.sidesCutOff == 0 }.max { $0.score < $1.score }
  }

  /// Fits the largest bright part.
  private func page(in picture: SmallPicture, bright: Pix) -> Page? {
    let (width, height) = (picture.width, picture.height)
    // Print is filled before parts that hardly touch are cut: a bar may lie near the page's side.
    let filled = bright.morphed("c3.3")?.filled()?.morphed("o5.5")
    let parts = filled?.components(isJoinedAtCorners: false) {
      Double($0.area) > 0.05 * Double(width * height)
    }
    guard let part = parts?.max(by: { $0.box.area < $1.box.area }) else { return nil }
    var points: [SIMD2<Double>] = []
    var columns = [ClosedRange<Int>?](repeating: nil, count: part.box.width)
    var area = 0
    part.picture.forEachRow { row, isSet in
      guard let first = (0..<part.box.width).first(where: isSet),
        let last = (0..<part.box.width).last(where: isSet)
      else { return }
      area += last - first + 1
      let y = Double(part.box.y + row) + 0.5
      points.append(SIMD2(Double(part.box.x + first), y))
      points.append(SIMD2(Double(part.box.x + last + 1), y))
      for column in first...last where isSet(column) {
        columns[column] = (columns[column]?.lowerBound ?? row)...row
      }
    }
    var areaOfColumns = 0
    for (column, span) in columns.enumerated() {
      guard let span else { continue }
      areaOfColumns += span.count
      let x = Double(part.box.x + column) + 0.5
      points.append(SIMD2(x, Double(part.box.y + span.lowerBound)))
      points.append(SIMD2(x, Double(part.box.y + span.upperBound + 1)))
    }
    guard let outline = Self.outline(of: points) else { return nil }
    return rated(outline, area: Double(min(area, areaOfColumns)), in: picture)
  }

  /// Fits the four sides of a part's border.
  private static func outline(of points: [SIMD2<Double>]) -> Quadrilateral? {
    let rough = corners(of: points)
    guard rough.count == 4 else { return nil }
    let sides = rough.indices.compactMap {
      SideFit(points, from: rough[$0], to: rough[($0 + 1) % 4])
    }
    guard sides.count == 4 else { return nil }
    let corners = sides.indices.compactMap { sides[($0 + 3) % 4].meeting(sides[$0]) }
    return corners.count == 4 ? Quadrilateral(corners: corners) : nil
  }

  /// Returns the points farthest in the four corners of the smallest rectangle around all points.
  private static func corners(of points: [SIMD2<Double>]) -> [SIMD2<Double>] {
    // A rectangle around all points is one around their hull, which has far fewer.
    let points = hull(of: points)
    var smallest = Double.infinity
    var (along, middle, size) = (SIMD2(1.0, 0), SIMD2(0.0, 0), SIMD2(1.0, 1))
    // The rectangle is turned by a quarter turn in steps of about a degree.
    for step in -45..<45 {
      let slanted = SIMD2(1, Double(step) / 45)
      let direction = slanted / slanted.length
      var (low, high) = (SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity))
      for point in points {
        let place = SIMD2((point * direction).sum(), direction.cross(point))
        low = pointwiseMin(low, place)
        high = pointwiseMax(high, place)
      }
      let extent = high - low
      guard extent.x * extent.y < smallest else { continue }
      smallest = extent.x * extent.y
      (along, middle, size) = (direction, (low + high) / 2, pointwiseMax(extent, SIMD2(1, 1)))
    }
    let places = points.map { (SIMD2(($0 * along).sum(), along.cross($0)) - middle) / size }
    return [SIMD2(-1.0, -1), SIMD2(1, -1), SIMD2(1, 1), SIMD2(-1, 1)].compactMap { corner in
      places.indices.max { (places[$0] * corner).sum() < (places[$1] * corner).sum() }
    }.map { points[$0] }
  }

  /// Returns the corners of the convex hull of points, by Andrew's monotone chain.
  private static func hull(of points: [SIMD2<Double>]) -> [SIMD2<Double>] {
    func chain(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
      var chain: [SIMD2<Double>] = []
      for point in points {
        while chain.count > 1,
          (chain[chain.count - 1] - chain[chain.count - 2]).cross(point - chain[chain.count - 1])
            <= 0
        {
          chain.removeLast()
        }
        chain.append(point)
      }
      return Array(chain.dropLast())
    }
    let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    return chain(sorted) + chain(sorted.reversed())
  }

  /// Rates an outline by its size and its sides; `nil` if it is no page.
  private func rated(_ outline: Quadrilateral, area: Double, in picture: SmallPicture) -> Page? {
    let (width, height) = (Double(picture.width), Double(picture.height))
    let share = outline.area / (width * height)
    guard share >= PageThresholds.smallestPage else { return nil }
    let fill = area / outline.area
    let isWithin = outline.corners.allSatisfy {
      abs($0.x / width - 0.5) <= 0.55 && abs($0.y / height - 0.5) <= 0.55
    }
    guard PageThresholds.fill.contains(fill), isWithin else { return nil }
    let contrasts = outline.sides.map { Self.contrast(from: $0.from, to: $0.to, in: picture) }
    let inside = contrasts.compactMap { $0 }
    let cutOff = contrasts.count - inside.count
    guard cutOff <= 2, inside.allSatisfy({ $0 >= PageThresholds.sideContrast }) else { return nil }
    // A bar near a side has more contrast with the paper than the paper with the desk.
    let weakest = inside.min() ?? 0
    let hasCornerCutOff = outline.corners.contains { picture.margin(of: $0) < -1.5 }
    return Page(
      outline: outline, sidesCutOff: cutOff, hasCornerCutOff: hasCornerCutOff,
      score: min(fill, 1 / fill) * weakest.squareRoot() * Double(inside.count) * share.squareRoot())
  }

  /// Returns the median step of the light over a side; `nil` for a side on the picture's border.
  private static func contrast(
    from start: SIMD2<Double>, to end: SIMD2<Double>, in picture: SmallPicture
  ) -> Double? {
    let along = (end - start) / max((end - start).length, 1)
    let outward = SIMD2(along.y, -along.x) * 2.5
    let probeCount = 64
    var steps: [Double] = []
    var beyond = 0
    for index in 0..<probeCount {
      let share = 0.05 + 0.9 * (Double(index) + 0.5) / Double(probeCount)
      let place = start + (end - start) * share
      guard let outside = picture.level(at: place + outward), picture.isAwayFromBorder(place) else {
        beyond += 1
        continue
      }
      if let inside = picture.level(at: place - outward) {
        steps.append(Double(inside) - Double(outside))
      }
    }
    if beyond > probeCount / 2 { return nil }
    return steps.isEmpty ? 0 : steps.sorted()[steps.count / 2]
  }
}

extension SmallPicture {
  /// Returns the luma at a point; `nil` outside the picture.
  fileprivate func level(at point: SIMD2<Double>) -> UInt8? {
    index(at: point).map { luma[$0] }
  }

  /// Whether a point is more than a pixel and a half within the picture.
  fileprivate func isAwayFromBorder(_ point: SIMD2<Double>) -> Bool { margin(of: point) >= 1.5 }

  /// Returns the distance of a point from the picture's border, negative outside.
  fileprivate func margin(of point: SIMD2<Double>) -> Double {
    min(point.x, point.y, Double(width) - point.x, Double(height) - point.y)
  }
}
