import Devices
import Imaging

/// The width of the letters' edges, measured in the frame itself, because a small copy hides blur.
///
/// The width of an edge is the distance between its tenth and its ninetieth hundredth of light.
enum EdgeWidth {
  /// A place on an edge in the small picture.
  struct Place: Sendable, Hashable {
    var x: Int
    var y: Int
    /// Whether the light changes along the row.
    var isAlongRow: Bool
    /// The step of the light between the neighbors, in levels.
    var step: Int
  }

  /// The number of fields of the longer side; the strongest edge of each is measured.
  private static let fields = 24
  /// The minimum step of an edge in the small picture, and of its whole rise, in levels.
  private static let (leastStep, leastRise) = (7, 16.0)
  /// The number of samples of the frame on each side of a place.
  private static let reach = 32
  /// The tolerated fall on a rise, as noise makes it, in levels.
  private static let noise = 1.5
  /// The share of the edges that are narrower than the result: slanted edges are wider than sharp.
  private static let share = 0.3

  /// Finds edges of ink in all fields of a page.
  ///
  /// - Parameters:
  ///   - picture: the small picture.
  ///   - text: the page with even paper.
  ///   - inside: the part of the page that is read, in the small picture's pixels.
  /// - Returns: the places, and the share of ink.
  static func places(
    in picture: SmallPicture, text: TextReader, inside: Quadrilateral
  ) -> (places: [Place], ink: Double) {
    let box = text.box
    let field = max(1, (max(box.width, box.height) + fields - 1) / fields)
    let fieldsAcross = picture.width / field + 1
    var strongest = [Place?](repeating: nil, count: fieldsAcross * (picture.height / field + 1))
    var (ink, total) = (0, 0)
    let columns = 1..<max(picture.width - 1, 1)
    for y in max(box.y, 1)..<max(box.y, 1, min(box.bottom, picture.height - 1)) {
      let span = inside.span(ofRow: y).clamped(to: box.x..<box.right).clamped(to: columns)
      total += span.count
      for x in span {
        let level = text.levels[(y - box.y) * box.width + x - box.x]
        guard Int(level) < PageThresholds.faintInk else { continue }
        ink += 1
        let index = y * picture.width + x
        let along = abs(Int(picture.luma[index + 1]) - Int(picture.luma[index - 1]))
        let down = abs(
          Int(picture.luma[index + picture.width]) - Int(picture.luma[index - picture.width]))
        let step = max(along, down)
        let number = y / field * fieldsAcross + x / field
        guard step >= leastStep, step > strongest[number]?.step ?? 0 else { continue }
        strongest[number] = Place(x: x, y: y, isAlongRow: along > down, step: step)
      }
    }
    return (strongest.compactMap { $0 }, Double(ink) / Double(max(total, 1)))
  }

  /// Measures edges in a frame; `nil` if too few can be measured.
  ///
  /// - Parameters:
  ///   - places: the places in the small picture.
  ///   - size: the small picture's size.
  /// - Returns: the width in pixels of the frame.
  static func measure(_ places: [Place], of size: FrameSize, in plane: LumaPlane) -> Double? {
    let across = Double(plane.size.width) / Double(size.width)
    let down = Double(plane.size.height) / Double(size.height)
    let widths = places.compactMap { place in
      width(
        column: Int((Double(place.x) + 0.5) * across), row: Int((Double(place.y) + 0.5) * down),
        isAlongRow: place.isAlongRow, search: max(4, Int(2 * max(across, down))), in: plane)
    }.sorted()
    guard widths.count >= PageThresholds.fewestEdges else { return nil }
    return widths[Int(Double(widths.count) * share)]
  }

  private static func width(
    column: Int, row: Int, isAlongRow: Bool, search: Int, in plane: LumaPlane
  ) -> Double? {
    let (lastColumn, lastRow) = (plane.size.width - 1, plane.size.height - 1)
    guard min(column, row, lastColumn - column, lastRow - row) > reach else { return nil }
    let scale = 255 / Double(plane.range.upperBound - plane.range.lowerBound)
    let profile = (-reach...reach).map { offset in
      let sum = (-1...1).reduce(0) { sum, side in
        let (x, y) = isAlongRow ? (column + offset, row + side) : (column + side, row + offset)
        return sum + Int(plane.start[y * plane.bytesPerRow + x * plane.step])
      }
      return Double(sum) / 3 * scale
    }
    return width(ofStepIn: profile, search: min(search, reach - 1))
  }

  /// Returns the width of the steepest step near the middle of a profile; `nil` for a faint one.
  static func width(ofStepIn profile: [Double], search: Int) -> Double? {
    let middle = profile.count / 2
    let slope = { (index: Int) in profile[index + 1] - profile[index - 1] }
    let places = max(1, middle - search)...min(profile.count - 2, middle + search)
    guard let steepest = places.max(by: { abs(slope($0)) < abs(slope($1)) }) else { return nil }
    // A fall is read as a rise.
    let sign: Double = slope(steepest) < 0 ? -1 : 1
    let rise = profile.map { $0 * sign }
    var (low, high) = (steepest, steepest)
    for index in stride(from: steepest - 1, through: 0, by: -1) {
      if rise[index] < rise[low] {
        low = index
      } else if rise[index] - rise[low] > noise || low - index > 2 {
        break
      }
    }
    for index in steepest + 1..<rise.count {
      if rise[index] > rise[high] {
        high = index
      } else if rise[high] - rise[index] > noise || index - high > 2 {
        break
      }
    }
    let height = rise[high] - rise[low]
    guard height >= leastRise else { return nil }
    let (tenth, ninetieth) = (rise[low] + 0.1 * height, rise[low] + 0.9 * height)
    var (first, last) = (Double(low), Double(high))
    for index in stride(from: steepest, to: low, by: -1) where rise[index - 1] <= tenth {
      first = Double(index - 1) + fraction(of: tenth, from: rise[index - 1], to: rise[index])
      break
    }
    for index in steepest..<high where rise[index + 1] >= ninetieth {
      last = Double(index) + fraction(of: ninetieth, from: rise[index], to: rise[index + 1])
      break
    }
    return max(0, last - first)
  }

  /// Returns the place of a level between two samples, 0...1.
  private static func fraction(of level: Double, from first: Double, to last: Double) -> Double {
    last > first ? min(max((level - first) / (last - first), 0), 1) : 0
  }
}
