import Devices
import Imaging

/// A second look at a text's regions in the frame itself.
///
/// The small picture makes ragged letters of small ones, and pieces of letters of their marks.
/// Shadows and reflections around a region spoil the letters of the whole page, and not those of
/// the region.
enum CloseUp {
  /// The minimum side of a region, in pixels of the frame.
  private static let leastSide = 64

  /// Looks for an unknown way up, and checks a known one.
  ///
  /// - Parameter size: the small picture's size.
  static func review(_ text: inout TextReader.Text, of size: FrameSize, in plane: LumaPlane) {
    if text.confidence >= 1 {
      if contradicts(text, of: size, in: plane) { text.confidence = 0 }
    } else if let closeUp = read(text.regions, of: size, in: plane) {
      (text.angle, text.confidence) = (closeUp.angle, closeUp.confidence)
      text.skew = text.skew ?? closeUp.skew
    }
  }

  /// Reads the largest regions one by one, and then all of them in one, for an unknown way up.
  ///
  /// - Parameters:
  ///   - regions: the regions in the small picture, the largest first.
  ///   - size: the small picture's size.
  /// - Returns: the first text whose way up is known; `nil` for none.
  static func read(
    _ regions: [PixelBox], of size: FrameSize, in plane: LumaPlane
  ) -> TextReader.Text? {
    // Small regions have too few letters, and all of them together have enough.
    for region in regions.prefix(PageThresholds.closeUps) + [union(of: regions)] {
      guard let part = part(region, of: size, in: plane, pixels: PageThresholds.textPixels) else {
        continue
      }
      let read = TextReader.read(
        part.picture, page: part.page, paper: part.paper, isLightOnDark: false)
      if let text = read?.text, text.confidence >= 1 { return text }
    }
    return nil
  }

  /// Whether the marks in the largest region tell that a text lies the other way.
  ///
  /// - Parameters:
  ///   - text: the text, whose way up seems known.
  ///   - size: the small picture's size.
  private static func contradicts(
    _ text: TextReader.Text, of size: FrameSize, in plane: LumaPlane
  ) -> Bool {
    // The marks of a copy that is hardly smaller have been counted.
    guard let region = text.regions.first,
      Double(plane.size.area) >= PageThresholds.reduced * Double(size.area),
      let part = part(region, of: size, in: plane, pixels: PageThresholds.markPixels)
    else { return false }
    return TextReader.contradicts(text, in: part.picture, page: part.page, paper: part.paper)
  }

  /// Copies the middle of a region from the frame; `nil` for a region that is too small.
  private static func part(
    _ region: PixelBox, of size: FrameSize, in plane: LumaPlane, pixels: Double
  ) -> (picture: SmallPicture, page: Quadrilateral, paper: Int)? {
    let scale = SIMD2(
      Double(plane.size.width) / Double(size.width), Double(plane.size.height) / Double(size.height)
    )
    let picture = SmallPicture(plane, part: box(of: region, scale, pixels: pixels))
    guard min(picture.width, picture.height) >= leastSide else { return nil }
    var levels = [Int](repeating: 0, count: 256)
    for level in picture.luma { levels[Int(level)] += 1 }
    return (
      picture, .whole(width: picture.width, height: picture.height),
      levels.level(atShare: 0.6)
    )
  }

  /// Returns the box around all regions.
  private static func union(of regions: [PixelBox]) -> PixelBox {
    let (x, y) = (regions.map(\.x).min() ?? 0, regions.map(\.y).min() ?? 0)
    return PixelBox(
      x: x, y: y, width: (regions.map(\.right).max() ?? x) - x,
      height: (regions.map(\.bottom).max() ?? y) - y)
  }

  /// Returns the middle of a region, up to a number of pixels, in pixels of the frame.
  private static func box(
    of region: PixelBox, _ scale: SIMD2<Double>, pixels: Double
  ) -> PixelBox {
    let whole = SIMD2(Double(region.width), Double(region.height)) * scale
    let share = min(1, (pixels / max(whole.x * whole.y, 1)).squareRoot())
    let side = whole * share
    let start = SIMD2(Double(region.x), Double(region.y)) * scale + (whole - side) / 2
    return PixelBox(
      x: Int(start.x), y: Int(start.y), width: Int(side.x), height: Int(side.y))
  }
}

extension SmallPicture {
  /// Copies a part of a frame's luma without colors, as far as the frame has it.
  fileprivate init(_ plane: LumaPlane, part: PixelBox) {
    let columns = (part.x..<part.right).clamped(to: 0..<plane.size.width)
    let rows = (part.y..<part.bottom).clamped(to: 0..<plane.size.height)
    let (black, white) = (plane.range.lowerBound, plane.range.upperBound)
    let levels = (0...255).map { sample in
      UInt8(min(max((sample - black) * 255 / (white - black), 0), 255))
    }
    var luma: [UInt8] = []
    luma.reserveCapacity(columns.count * rows.count)
    for row in rows {
      for column in columns {
        luma.append(levels[Int(plane.start[row * plane.bytesPerRow + column * plane.step])])
      }
    }
    self.init(width: columns.count, height: rows.count, luma: luma)
  }
}
