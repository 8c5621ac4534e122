package import Devices
package import Imaging

/// The look of a page, by which the same page is known again after it was touched.
///
/// Two pages of a book share their margins and the grid of their lines, but not their letters. So
/// patches of one straightened page are searched for in the other one, close to their places. Of
/// 100 patches of the same page 75 correlate by 0.72 or more, and by 0.51 at most for another page.
package struct PageLook: Sendable, Hashable {
  /// The size of the straightened page, whose first side is the shorter one.
  private static let (width, height) = (384, 544)
  /// The number of places across and down of which a sample is the mean.
  private static let samples = 2
  /// The distance to which the mean is taken off around each sample.
  private static let neighborhood = 12
  /// The side of a patch, and the numbers of patches across and down.
  private static let (patch, across, down) = (64, 3, 4)
  /// The distance to which a patch is searched for, along both axes.
  private static let reach = 8
  /// The minimum deviation of a patch with something on it, in levels.
  private static let leastDeviation: Float = 4
  /// The share of the patches that may be unlike, and the correlation of like ones.
  private static let (unlike, likeFrom) = (0.25, Float(0.65))

  /// The ratio of the sides up to which a page counts as square, which noise would turn.
  private static let squareUpTo = 1.15

  /// The levels without the mean of their neighborhood, row by row.
  private let details: [Float]
  /// Whether the page stands out, so that its letters have fixed places in the look.
  package let isOutlined: Bool

  /// Makes the look of the page in a frame.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes; only read during the call.
  ///   - format: the format of the bytes.
  ///   - outline: the page's corners, clockwise; `nil` for the whole frame.
  /// - Throws: ``ImagingError``: `malformedFrame`, `malformedJPEG`, `unsupported`, `outOfMemory`.
  /// - Complexity: O(pixels); blocks the calling thread for some tens of milliseconds.
  package init(
    bytes: UnsafeRawBufferPointer, format: StreamFormat, outline: [PageFindings.Point]?
  ) throws(ImagingError) {
    let size = SmallPicture.size(of: format.size, pixels: PageThresholds.textPixels)
    self.init(
      SmallPicture(try ScaledFrame(of: bytes, format: format, size: size), withColors: false),
      outline: outline)
  }

  /// Makes the look of the page in the picture that its text is read in.
  init(_ picture: SmallPicture, outline: [PageFindings.Point]?) {
    let corners = Self.corners(outline, in: picture)
    isOutlined = corners != nil
    details = Self.details(
      of: Self.straightened(
        picture,
        corners ?? Quadrilateral.whole(width: picture.width, height: picture.height).corners))
  }

  /// Whether no patch has anything on it, so that the page cannot be known again.
  package var isBlank: Bool {
    (0..<Self.across * Self.down).allSatisfy {
      moments(ofPatch: $0).deviation < Self.leastDeviation
    }
  }

  /// Returns whether another picture shows the same page; two pages with nothing on them do not.
  ///
  /// The end of a chapter may be a part of a fuller page, so each has to have what the other has.
  package func isSamePage(as other: PageLook) -> Bool {
    isPart(of: other) && other.isPart(of: self)
  }

  /// Returns whether another picture has what this one has, at the same places.
  private func isPart(of other: PageLook) -> Bool {
    let likenesses = (0..<Self.across * Self.down).compactMap { index in
      likeness(of: index, to: other)
    }.sorted()
    guard !likenesses.isEmpty else { return false }
    return likenesses[Int(Double(likenesses.count) * Self.unlike)] >= Self.likeFrom
  }

  /// Returns the corners of an outline in pixels; `nil` for none.
  private static func corners(
    _ outline: [PageFindings.Point]?, in picture: SmallPicture
  ) -> [SIMD2<Double>]? {
    guard let outline, outline.count == 4, outline.allSatisfy({ $0.x.isFinite && $0.y.isFinite })
    else { return nil }
    return outline.map { SIMD2($0.x * Double(picture.width), $0.y * Double(picture.height)) }
  }

  /// Samples the page into its straightened size.
  ///
  /// A sample is the mean of several places in its area. A single place would change with each
  /// small shift of print as fine as the samples, so that a page looked unlike itself.
  private static func straightened(
    _ picture: SmallPicture, _ outline: [SIMD2<Double>]
  ) -> [Float] {
    var corners = outline
    if (corners[1] - corners[0]).length > squareUpTo * (corners[2] - corners[1]).length {
      corners = Array(corners[1...] + corners[..<1])
    }
    var levels = [Float](repeating: 0, count: width * height)
    let share = 1 / Float(samples * samples)
    for row in 0..<height * samples {
      let y = (Double(row) + 0.5) / Double(height * samples)
      let left = corners[0] + (corners[3] - corners[0]) * y
      let step = (corners[1] + (corners[2] - corners[1]) * y - left) / Double(width * samples)
      let first = row / samples * width
      for column in 0..<width * samples {
        let point = left + step * (Double(column) + 0.5) - 0.5
        levels[first + column / samples] += share * picture.level(at: point)
      }
    }
    return levels
  }

  /// Takes the mean of its neighborhood off each level.
  private static func details(of levels: [Float]) -> [Float] {
    // The sums of all levels above and to the left.
    let stride = width + 1
    var sums = [Double](repeating: 0, count: stride * (height + 1))
    for row in 0..<height {
      var sum = 0.0
      for column in 0..<width {
        sum += Double(levels[row * width + column])
        sums[(row + 1) * stride + column + 1] = sums[row * stride + column + 1] + sum
      }
    }
    var details = levels
    for row in 0..<height {
      let (top, bottom) = (max(row - neighborhood, 0), min(row + neighborhood + 1, height))
      for column in 0..<width {
        let (left, right) = (max(column - neighborhood, 0), min(column + neighborhood + 1, width))
        let sum =
          sums[bottom * stride + right] - sums[top * stride + right]
          - sums[bottom * stride + left] + sums[top * stride + left]
        details[row * width + column] -= Float(sum / Double((bottom - top) * (right - left)))
      }
    }
    return details
  }

  /// Returns the best correlation of a patch near its place; `nil` for one with nothing on it.
  private func likeness(of index: Int, to other: PageLook) -> Float? {
    let (side, reach) = (Self.patch, Self.reach)
    let (left, top, own, deviation) = moments(ofPatch: index)
    guard deviation >= Self.leastDeviation else { return nil }
    func correlation(_ right: Int, _ down: Int) -> Float {
      let theirs = Self.moments(other.details, left + right, top + down)
      guard theirs.squares > 0 else { return 0 }
      var product: Float = 0
      for row in 0..<side {
        let first = (top + row) * Self.width + left
        let shifted = first + down * Self.width + right
        for column in 0..<side {
          product += details[first + column] * other.details[shifted + column]
        }
      }
      let common = product - own.sum * theirs.sum / Float(side * side)
      return common / (own.squares * theirs.squares).squareRoot()
    }
    var best = (likeness: -Float.infinity, right: 0, down: 0)
    func look(_ right: Int, _ down: Int) {
      guard abs(right) <= reach, abs(down) <= reach else { return }
      let likeness = correlation(right, down)
      if likeness > best.likeness { best = (likeness, right, down) }
    }
    // Every second place, and then those around the best one.
    for down in stride(from: -reach, through: reach, by: 2) {
      for right in stride(from: -reach, through: reach, by: 2) { look(right, down) }
    }
    let (right, down) = (best.right, best.down)
    for (x, y) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
      look(right + x, down + y)
    }
    return best.likeness
  }

  /// Returns the place of a patch, its moments, and the deviation of its levels.
  private func moments(
    ofPatch index: Int
  ) -> (left: Int, top: Int, moments: (sum: Float, squares: Float), deviation: Float) {
    let left = Self.place(index % Self.across, of: Self.across, in: Self.width)
    let top = Self.place(index / Self.across, of: Self.down, in: Self.height)
    let moments = Self.moments(details, left, top)
    let count = Float(Self.patch * Self.patch)
    return (left, top, moments, (moments.squares / count).squareRoot())
  }

  /// Returns the first sample of one of several patches, evenly spread with room for the search.
  private static func place(_ index: Int, of count: Int, in length: Int) -> Int {
    let margin = length / 9
    return margin + index * (length - 2 * margin - patch) / max(count - 1, 1)
  }

  /// Returns the sum of a patch, and the sum of the squares of its differences from the mean.
  private static func moments(
    _ details: [Float], _ left: Int, _ top: Int
  ) -> (sum: Float, squares: Float) {
    var (sum, squares): (Float, Float) = (0, 0)
    for row in top..<top + patch {
      for column in left..<left + patch {
        let value = details[row * width + column]
        sum += value
        squares += value * value
      }
    }
    return (sum, max(0, squares - sum * sum / Float(patch * patch)))
  }
}

extension SmallPicture {
  /// Returns the luma between four pixels; outside of the picture, that of its edge.
  fileprivate func level(at point: SIMD2<Double>) -> Float {
    let last = SIMD2(Double(width - 1), Double(height - 1))
    let place = pointwiseMin(pointwiseMax(point, SIMD2(0, 0)), last)
    let (x, y) = (Int(place.x), Int(place.y))
    let (right, below) = (min(x + 1, width - 1), min(y + 1, height - 1))
    func level(_ x: Int, _ y: Int) -> Float { Float(luma[y * width + x]) }
    let (u, v) = (Float(place.x) - Float(x), Float(place.y) - Float(y))
    let upper = level(x, y) + (level(right, y) - level(x, y)) * u
    let lower = level(x, below) + (level(right, below) - level(x, below)) * u
    return upper + (lower - upper) * v
  }
}
