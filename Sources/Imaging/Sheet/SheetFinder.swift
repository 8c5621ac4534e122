import Devices

/// The search for a sheet in a small picture.
///
/// A sheet is a part that stands out at some threshold, does not touch the border and has four
/// sides. No threshold suits every light, so many are tried. At each threshold the picture falls
/// into connected light and dark parts.
struct SheetFinder {
  /// A part that may be the sheet.
  struct Candidate: Sendable, Hashable {
    var outline: SheetOutline
    /// Whether the part is lighter than the ground.
    var isLight: Bool
  }

  /// The number of thresholds that are tried between the darkest and the brightest hundredth.
  private static let thresholdCount = 20
  /// The minimum share of the picture that a sheet covers.
  private static let smallestShare = 0.01
  /// The minimum ratio between the areas of a part and of its outline, in either direction.
  private static let fill = 0.92
  /// The tolerated difference from the sheet's shape within which a part is tried first.
  private static let shapeTolerance = 0.05

  private let picture: GrayPicture
  private let sheet: SheetSize
  private let isBorder: [Bool]

  init(_ picture: GrayPicture, sheet: SheetSize) {
    self.picture = picture
    self.sheet = sheet
    let (width, height) = (picture.size.width, picture.size.height)
    isBorder = picture.luma.indices.map { index in
      [0, width - 1].contains(index % width) || [0, height - 1].contains(index / width)
    }
  }

  /// Finds rough candidates: first those of the sheet's shape, and the larger ones first.
  ///
  /// - Throws: ``SheetRefusal``: `notFound` without a candidate, `several` for two similar ones.
  func find() throws(SheetRefusal) -> [Candidate] {
    var things: [Candidate] = []
    var rest = candidates()
    while let largest = rest.max(by: { $0.outline.area < $1.outline.area }) {
      let isSame = { (other: Candidate) in
        other.isLight == largest.isLight && other.outline.area > 0.8 * largest.outline.area
          && largest.outline.contains(other.outline.center)
      }
      let same = rest.filter(isSame)
      // At its middle threshold a part has lost and gained least. Noise has only one threshold.
      if same.count > 1 { things.append(same[same.count / 2]) }
      rest.removeAll(where: isSame)
    }
    let isAlike = { (thing: Candidate) in
      abs(thing.outline.ratio / sheet.ratio - 1) < Self.shapeTolerance
    }
    let alike = things.filter(isAlike)
    guard let first = alike.first ?? things.first else { throw .notFound }
    let isSecond = alike.dropFirst().contains {
      $0.outline.area > first.outline.area / 2 && !first.outline.contains($0.outline.center)
    }
    if isSecond { throw .several }
    return alike + things.filter { !isAlike($0) }
  }

  /// Finds the parts that may be a sheet, at all thresholds, the lowest first.
  private func candidates() -> [Candidate] {
    let sorted = picture.luma.sorted()
    let darkest = Double(sorted[sorted.count / 100])
    let brightest = Double(sorted[sorted.count - 1 - sorted.count / 100])
    guard brightest - darkest >= 8 else { return [] }
    let step = (brightest - darkest) / Double(Self.thresholdCount)
    return (0..<Self.thresholdCount).flatMap { index in
      candidates(above: UInt8(darkest + step * (Double(index) + 0.5)))
    }
  }

  private func candidates(above threshold: UInt8) -> [Candidate] {
    let isLight = picture.luma.map { $0 > threshold }
    let neighbors = [-1, 1, -picture.size.width, picture.size.width]
    var isSeen = isBorder
    var found: [Candidate] = []
    var part: [Int] = []
    for start in isLight.indices where !isSeen[start] {
      part.removeAll(keepingCapacity: true)
      part.append(start)
      isSeen[start] = true
      var touchesBorder = false
      var next = 0
      while next < part.count {
        let index = part[next]
        next += 1
        for step in neighbors where isLight[index + step] == isLight[start] {
          if isBorder[index + step] {
            touchesBorder = true
          } else if !isSeen[index + step] {
            isSeen[index + step] = true
            part.append(index + step)
          }
        }
      }
      guard !touchesBorder, Double(part.count) >= Self.smallestShare * Double(isLight.count),
        let outline = outline(of: part)
      else { continue }
      found.append(Candidate(outline: outline, isLight: isLight[start]))
    }
    return found
  }

  /// Returns the four corners of a part; `nil` when the part does not have four sides.
  private func outline(of part: [Int]) -> SheetOutline? {
    var rows = [Int: ClosedRange<Int>](minimumCapacity: picture.size.height)
    var columns = [Int: ClosedRange<Int>](minimumCapacity: picture.size.width)
    for index in part {
      let (column, row) = (index % picture.size.width, index / picture.size.width)
      rows[row] =
        rows[row].map { min($0.lowerBound, column)...max($0.upperBound, column) }
        ?? column...column
      columns[column] =
        columns[column].map { min($0.lowerBound, row)...max($0.upperBound, row) }
        ?? row...row
    }
    // Print on the sheet makes holes, which count as part of the sheet.
    let area = Double(
      min(rows.values.reduce(0) { $0 + $1.count }, columns.values.reduce(0) { $0 + $1.count }))
    let points = rows.flatMap { row, span in
      [span.lowerBound, span.upperBound].map { SIMD2(Double($0), Double(row)) }
    }
    guard Double(part.count) >= area / 2, let outline = Self.corners(of: points) else { return nil }
    // The corners are the middles of pixels.
    let enclosed = outline.area + outline.lengths.reduce(0, +) / 2 + 1
    guard min(area / enclosed, enclosed / area) >= Self.fill, outline.keystone < 0.2 else {
      return nil
    }
    return outline
  }

  /// Returns the points farthest in the four corners of the smallest rectangle around all points.
  private static func corners(of points: [SIMD2<Double>]) -> SheetOutline? {
    var smallest: (area: Double, along: SIMD2<Double>, middle: SIMD2<Double>, size: SIMD2<Double>)?
    // The rectangle is turned by a quarter turn in steps of about a degree.
    for step in -45..<45 {
      let slanted = SIMD2(1, Double(step) / 45)
      let along = slanted / slanted.length
      var (low, high) = (SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity))
      for point in points {
        let place = point.turned(to: along)
        if place.x < low.x { low.x = place.x }
        if place.x > high.x { high.x = place.x }
        if place.y < low.y { low.y = place.y }
        if place.y > high.y { high.y = place.y }
      }
      let size = high - low + 1
      guard size.x * size.y < smallest?.area ?? .infinity else { continue }
      smallest = (size.x * size.y, along, (low + high) / 2, size)
    }
    guard let smallest else { return nil }
    let places = points.map { ($0.turned(to: smallest.along) - smallest.middle) / smallest.size }
    let corners = [SIMD2(-1.0, -1), SIMD2(1, -1), SIMD2(1, 1), SIMD2(-1, 1)].compactMap { corner in
      places.indices.max { (places[$0] * corner).sum() < (places[$1] * corner).sum() }
    }
    return corners.count == 4 ? SheetOutline(corners: corners.map { points[$0] }) : nil
  }
}

extension SIMD2<Double> {
  /// Returns the components of the vector along a direction and across it.
  fileprivate func turned(to along: Self) -> Self {
    Self(x * along.x + y * along.y, y * along.x - x * along.y)
  }
}
