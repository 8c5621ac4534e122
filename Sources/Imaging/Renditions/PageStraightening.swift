import Devices
import Glibc

/// The way from a frame to the page in it: cropped, with right angles, level and upright.
///
/// The proportions are the mean lengths of opposite sides. A camera that is tilted by 10° changes
/// them by 1.5 %. Beyond the page or the frame, the border is repeated, so that no ground shows.
struct PageStraightening {
  /// The minimum share of the frame that a page covers.
  private static let leastShare = 0.01
  /// The minimum sine of a corner's angle, which is that of 30° and of 150°.
  private static let leastSine = 0.5
  /// The place of a corner in the frame, which a page may leave.
  private static let places = -0.5...1.5
  /// The largest angle of text to its page that is leveled, in degrees; more is the print's own.
  private static let largestSlant = 10.0
  /// The error of a side of the outline, as a share of the frame's longer side.
  private static let outlineError = 0.002
  /// The maximum share of a width or height that is left out at a side for that error.
  private static let largestMargin = 0.01
  /// The resolution of the copy that is resampled, as a multiple of the result's.
  ///
  /// At 1 the letters are blurred twice, and at 2 samples are skipped. Tesseract reads best at 1.5.
  private static let oversampling = 1.5

  /// The width and height of the result in the frame's own resolution, in pixels.
  let extent: SIMD2<Double>
  /// The clockwise angle in degrees that would level the text of the result.
  let skew: Double
  /// The map from the result in the frame's own resolution to the frame, in pixels from its corner.
  private let toFrame: BoundedHomography

  /// Finds the way.
  ///
  /// - Parameters:
  ///   - findings: the findings about the page; without an outline the whole frame is the page.
  ///   - frame: the size of the frame.
  ///   - angle: the clockwise angle that turns the frame upright: 0, 90, 180 or 270.
  /// - Returns: `nil` for an outline that no page can have.
  init?(of findings: PageFindings, in frame: FrameSize, turnedClockwise angle: Int) {
    let size = SIMD2(Double(frame.width), Double(frame.height))
    let places = findings.outline ?? Self.whole
    guard places.allSatisfy({ Self.places.contains($0.x) && Self.places.contains($0.y) }) else {
      return nil
    }
    let corners = places.map { SIMD2($0.x, $0.y) * size }
    guard Self.isPage(SheetOutline(corners: corners), in: size) else { return nil }
    let found = findings.skew.flatMap { abs($0) <= 45 ? $0 : nil } ?? 0
    let turn = -(Double(angle) + found) * .pi / 180
    let reading = SIMD2(cos(turn), sin(turn))

    let outline = Self.outline(corners, reading: reading)
    let page = SIMD2(outline.means.0, outline.means.1)
    let toFrame = Homography(unitSquareTo: outline.corners).after(Homography(scale: 1 / page))
    let line = toFrame.source(of: reading, at: page / 2)
    let slant = atan2(line.y, line.x)
    let isLeveled = findings.outline == nil || abs(slant) * 180 / .pi <= Self.largestSlant
    skew = isLeveled ? 0 : -slant * 180 / .pi
    // Without a skew there are only the sides to go by.
    let rotation = findings.skew != nil && isLeveled ? slant : 0
    let (cosine, sine) = (cos(rotation), sin(rotation))
    extent = SIMD2(
      page.x * cosine + page.y * abs(sine), page.x * abs(sine) + page.y * cosine)
    let half = extent / 2
    let rotated = Homography(
      x: SIMD3(cosine, -sine, page.x / 2 - cosine * half.x + sine * half.y),
      y: SIMD3(sine, cosine, page.y / 2 - sine * half.x - cosine * half.y))
    let margin = pointwiseMin(
      SIMD2(repeating: Self.outlineError * size.max()), page * Self.largestMargin)
    self.toFrame = BoundedHomography(
      first: rotated, bounds: findings.outline == nil ? nil : (margin, page - margin),
      second: toFrame)
  }

  /// The corners of the frame itself.
  private static let whole: [PageFindings.Point] = [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map {
    PageFindings.Point(x: $0.0, y: $0.1)
  }

  /// Returns whether four corners are clockwise, convex, not too pointed and not too small.
  private static func isPage(_ outline: SheetOutline, in frame: SIMD2<Double>) -> Bool {
    let sides = outline.sides.map { $0.to - $0.from }
    return sides.count == 4 && outline.area >= leastShare * frame.x * frame.y
      && sides.indices.allSatisfy { index in
        let next = sides[(index + 1) % 4]
        return sides[index].cross(next) > leastSine * sides[index].length * next.length
      }
  }

  /// Returns the outline that begins with the side most parallel to the lines of the text.
  private static func outline(
    _ corners: [SIMD2<Double>], reading: SIMD2<Double>
  ) -> SheetOutline {
    let agreements = SheetOutline(corners: corners).sides.map { side in
      ((side.to - side.from) * reading).sum() / (side.to - side.from).length
    }
    let first = agreements.indices.max { agreements[$0] < agreements[$1] } ?? 0
    return SheetOutline(corners: Array(corners[first...] + corners[..<first]))
  }

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - source: the frame.
  ///   - scale: the resolution as a share of the frame's own, above 0 and at most 1.
  /// - Throws: ``ImagingError``: `malformedFrame`, `malformedJPEG` or `unsupported`.
  func frame(
    from source: inout RenditionSource, scale: Double
  ) throws(ImagingError) -> ScaledFrame {
    func pixels(_ length: Double) -> Int { max(1, Int(length.rounded())) }
    let size = FrameSize(width: pixels(extent.x * scale), height: pixels(extent.y * scale))
    let full = source.format.size
    let share = scale * Self.oversampling
    let copySize =
      share > 0.8
      ? full
      : FrameSize(
        width: pixels(Double(full.width) * share), height: pixels(Double(full.height) * share))
    let toCopy = Homography(
      scale: SIMD2(
        Double(copySize.width) / Double(full.width), Double(copySize.height) / Double(full.height)))
    let fromResult = Homography(
      scale: extent / SIMD2(Double(size.width), Double(size.height)))
    let threadCount = source.threadCount
    // A sample of the copy has a share of what is beside it.
    let sample = SIMD2(repeating: copySize == full ? 1 : 1 / share)
    let map = BoundedHomography(
      first: toFrame.first.after(fromResult),
      bounds: toFrame.bounds.map { ($0.lowest + sample, $0.highest - sample) },
      second: toCopy.after(toFrame.second))
    return try source.samples(of: copySize).withBytes { (bytes, format) throws(ImagingError) in
      try ScaledFrame(
        of: bytes, format: format, size: size, through: map, threadCount: threadCount)
    }
  }
}
