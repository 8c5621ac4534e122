/// The punctuation marks at the ends of words, which tell the way up in scripts other than Latin.
///
/// Periods and commas stand at the foot of the letters after a word. Upside down they stand at the
/// head of the letters before a word, as only opening quotation marks do otherwise.
struct Punctuation: Sendable, Hashable {
  /// The number of letters and marks.
  private let count: Int
  /// The number of marks at the foot of a letter that ends a word.
  private(set) var feet = 0
  /// The number of marks at the head of a letter that begins a word.
  private(set) var heads = 0
  /// The share of the boxes that are no larger than marks.
  let shareOfPieces: Double

  /// The longer side of the largest mark in letter heights.
  private static let largest = 0.75
  /// The width of the widest mark in letter heights; both strokes of a quotation mark are wider.
  private static let widest = 0.42
  /// The gap to the letter beside a mark, and the least gap on its other side, in letter heights.
  private static let (nearest, space) = (0.4, 0.55)
  /// The distance of a mark from the line on which letters stand, inward and outward.
  private static let (inward, outward) = (0.35, 0.1)

  /// Counts the marks of a text whose lines are level.
  ///
  /// - Parameters:
  ///   - boxes: the boxes of all letters and marks.
  ///   - letterHeight: the height of a small letter x in pixels.
  init(_ boxes: [PixelBox], letterHeight: Int) {
    count = boxes.count
    let boxes = boxes.sorted { $0.x < $1.x }
    let height = Double(letterHeight)
    func isPiece(_ box: PixelBox) -> Bool {
      Double(max(box.width, box.height)) <= Self.largest * height
    }
    shareOfPieces = Double(boxes.count(where: isPiece)) / Double(max(count, 1))
    let isLetter = boxes.map { (0.85...1.9).contains(Double($0.height) / height) }
    for (index, mark) in boxes.enumerated()
    where isPiece(mark) && Double(mark.width) <= Self.widest * height {
      var (before, after): (PixelBox?, PixelBox?)
      var isFree = true
      func look(at other: Int) {
        let letter = boxes[other]
        let middle = Double(2 * mark.y + mark.height) / 2
        if isBeside(letter, mark, height) {
          isFree = false
          return
        }
        guard isLetter[other], middle >= Double(letter.y) - 0.6 * height,
          middle <= Double(letter.bottom) + 0.6 * height
        else { return }
        let shared = min(letter.right, mark.right) - max(letter.x, mark.x)
        // The dot of an i and a piece of a letter have the rest of it above or below.
        if 2 * shared > mark.width {
          isFree = false
        } else if letter.x + letter.right < mark.x + mark.right {
          if letter.right > before?.right ?? .min { before = letter }
        } else if letter.x < after?.x ?? .max {
          after = letter
        }
      }
      for other in boxes[..<index].indices.reversed() {
        guard boxes[other].x >= mark.x - 5 * letterHeight else { break }
        look(at: other)
      }
      for other in boxes[(index + 1)...].indices {
        guard boxes[other].x <= mark.right + 2 * letterHeight else { break }
        look(at: other)
      }
      if isFree { add(mark, before, after, height) }
    }
  }

  /// Whether the marks are those of a text that lies the other way.
  ///
  /// Marks of letters that fell to pieces, as beside a reflection, tell nothing.
  ///
  /// - Parameter isUpsideDown: whether the text is thought to lie upside down.
  func contradict(isUpsideDown: Bool) -> Bool {
    let (right, wrong) = isUpsideDown ? (heads, feet) : (feet, heads)
    guard shareOfPieces <= PageThresholds.shareOfPieces else { return false }
    let tolerated = PageThresholds.openingMarks
    return Double(wrong)
      > max(tolerated.count, tolerated.share * Double(count)) + tolerated.ratio * Double(right)
  }

  /// Whether a box is the other stroke of a quotation mark.
  private func isBeside(_ other: PixelBox, _ mark: PixelBox, _ height: Double) -> Bool {
    let gap = max(other.x - mark.right, mark.x - other.right)
    return Double(max(gap, other.width)) <= Self.widest * height
      && Double(abs(other.y - mark.y)) <= 0.2 * height
      && Double(abs(other.bottom - mark.bottom)) <= 0.2 * height
  }

  private mutating func add(
    _ mark: PixelBox, _ before: PixelBox?, _ after: PixelBox?, _ height: Double
  ) {
    let gapBefore = before.map { Double(mark.x - $0.right) } ?? .infinity
    let gapAfter = after.map { Double($0.x - mark.right) } ?? .infinity
    let (nearest, space) = (Self.nearest * height, Self.space * height)
    let middle = Double(2 * mark.y + mark.height) / 2
    func isSmall(_ letter: PixelBox) -> Bool {
      abs(Double(letter.height) - height) <= max(1, LetterPairs.tolerance * height)
    }
    // A quarter of a pixel is the error of a middle.
    let place = -Self.inward * height...Self.outward * height + 0.25
    if let before, isSmall(before), gapBefore <= nearest, gapAfter >= space {
      if place.contains(middle - Double(before.bottom)) { feet += 1 }
    } else if let after, isSmall(after), gapAfter <= nearest, gapBefore >= space {
      if place.contains(Double(after.y) - middle) { heads += 1 }
    }
  }
}
