import CLeptonica

/// A picture of Leptonica, freed with this object.
///
/// Leptonica gives no picture when memory is short, or when an input is too small for an operation.
final class Pix {
  private let address: UnsafeMutableRawPointer

  /// Takes over a picture; `nil` for none.
  private init?(owning address: UnsafeMutableRawPointer?) {
    _ = Self.isSilent
    guard let address else { return nil }
    self.address = address
  }

  /// The messages on the standard error, turned off by the first use.
  private static let isSilent: Bool = {
    CLeptonica_keepSilent()
    return true
  }()

  deinit { CLeptonica_destroy(address) }

  /// Makes a gray picture of a part of a small picture, with a level for each level.
  convenience init?(_ picture: SmallPicture, part: PixelBox, levels: [UInt8]) {
    _ = Self.isSilent
    self.init(owning: CLeptonica_create(Int32(part.width), Int32(part.height), 8))
    guard let words = CLeptonica_words(address) else { return }
    let wordsPerRow = wordsPerRow
    for row in 0..<part.height {
      let first = (part.y + row) * picture.width + part.x
      let target = words + row * wordsPerRow
      for column in 0..<part.width {
        let level = UInt32(levels[Int(picture.luma[first + column])])
        target[column / 4] |= level << UInt32(8 * (3 - column % 4))
      }
    }
  }

  var width: Int { Int(CLeptonica_width(address)) }
  var height: Int { Int(CLeptonica_height(address)) }
  private var wordsPerRow: Int { Int(CLeptonica_wordsPerRow(address)) }

  /// Returns the picture with even paper of ``PageThresholds/paperLevel``.
  func normalized() -> Pix? {
    Pix(owning: CLeptonica_normalize(address, 10, 15, 60, 40, Int32(PageThresholds.paperLevel)))
  }

  func enlarged(by factor: Double) -> Pix? {
    Pix(owning: CLeptonica_scale(address, Float(factor)))
  }

  /// Returns the pixels darker than a level, as a picture of 1 bit.
  func darker(than level: Int) -> Pix? {
    Pix(owning: CLeptonica_threshold(address, Int32(level)))
  }

  /// Keeps the components of the size of letters.
  func letters(smallest: Double, largest: Double) -> Pix? {
    Pix(
      owning: CLeptonica_keepLetters(
        address, Int32(smallest.rounded()), Int32((smallest * 1.25).rounded()), Int32(largest)))
  }

  /// Applies Leptonica's morphological operations, for example `c5.5 + o5.5`.
  func morphed(_ operations: String) -> Pix? {
    Pix(owning: CLeptonica_morph(address, operations))
  }

  /// Fills the holes of the components of a picture of 1 bit.
  func filled() -> Pix? { Pix(owning: CLeptonica_fillHoles(address)) }

  func quarterTurned() -> Pix? { Pix(owning: CLeptonica_quarterTurn(address)) }

  /// Returns the picture turned clockwise by a small angle in degrees.
  func turned(by degrees: Double) -> Pix? {
    Pix(owning: CLeptonica_turn(address, Float(degrees * .pi / 180)))
  }

  /// Finds the clockwise angle in degrees that levels the lines; confidence 0 if there are none.
  func skew() -> (degrees: Double, confidence: Double) {
    var (degrees, confidence): (Float, Float) = (0, 0)
    let result = CLeptonica_findSkew(address, PageThresholds.skewRange, &degrees, &confidence)
    guard result == 0, degrees.isFinite, confidence.isFinite else { return (0, 0) }
    return (Double(degrees), Double(confidence))
  }

  /// Finds the clockwise angle in degrees near a rough one more exactly; the rough one if it fails.
  func skew(near rough: Double) -> Double {
    var (degrees, confidence): (Float, Float) = (0, 0)
    let result = CLeptonica_refineSkew(address, Float(rough), &degrees, &confidence)
    let isFound = result == 0 && degrees != 0 && abs(Double(degrees) - rough) < 0.15
    return isFound ? Double(degrees) : rough
  }

  /// Compares ascenders with descenders: above 0 for upright text, below 0 for text upside down.
  ///
  /// Leptonica sees ascenders of 4 pixels and more, which small letters have not. So the letters
  /// are brought to ``PageThresholds/heightForAscenders`` first, unless they are too coarse for it.
  ///
  /// - Parameter letterHeight: the height of a small letter x in pixels, above 0.
  func ascenders(letterHeight: Int) -> Double {
    let isCoarse = letterHeight < PageThresholds.smallLetter
    let factor = isCoarse ? 1 : PageThresholds.heightForAscenders / Float(letterHeight)
    guard let scaled = Pix(owning: CLeptonica_scaleBinary(address, factor)) else { return 0 }
    var confidence: Float = 0
    let result = CLeptonica_compareAscenders(scaled.address, &confidence)
    return result == 0 && confidence.isFinite ? Double(confidence) : 0
  }

  /// Finds the boxes of the components.
  func boxes() -> [PixelBox] {
    guard let boxes = CLeptonica_boxes(address) else { return [] }
    defer { CLeptonica_destroyBoxes(boxes) }
    return (0..<CLeptonica_boxCount(boxes)).compactMap { index in
      PixelBox { CLeptonica_box(boxes, index, $0, $1, $2, $3) }
    }
  }

  /// Finds the components with their boxes that a condition admits.
  ///
  /// - Parameter isJoinedAtCorners: whether pixels that touch at a corner belong together.
  func components(
    isJoinedAtCorners: Bool, where isWanted: (PixelBox) -> Bool
  ) -> [(box: PixelBox, picture: Pix)] {
    guard let components = CLeptonica_components(address, isJoinedAtCorners ? 8 : 4) else {
      return []
    }
    defer { CLeptonica_destroyComponents(components) }
    return (0..<CLeptonica_componentCount(components)).compactMap { index in
      let box = PixelBox { CLeptonica_componentBox(components, index, $0, $1, $2, $3) }
      guard let box, isWanted(box),
        let picture = Pix(owning: CLeptonica_component(components, index))
      else { return nil }
      return (box, picture)
    }
  }

  /// Makes a picture of 1 bit from the pixels that a condition admits.
  convenience init?(width: Int, height: Int, where isSet: (_ x: Int, _ y: Int) -> Bool) {
    self.init(owning: CLeptonica_create(Int32(width), Int32(height), 1))
    guard let words = CLeptonica_words(address) else { return }
    let wordsPerRow = wordsPerRow
    for y in 0..<height {
      for x in 0..<width where isSet(x, y) {
        words[y * wordsPerRow + x / 32] |= 1 << UInt32(31 - x % 32)
      }
    }
  }

  /// Calls a closure for each row of a picture of 1 bit with a test of its columns.
  func forEachRow(_ body: (_ row: Int, _ isSet: (Int) -> Bool) -> Void) {
    guard let words = CLeptonica_words(address) else { return }
    let wordsPerRow = wordsPerRow
    withExtendedLifetime(self) {
      for row in 0..<height {
        let first = words + row * wordsPerRow
        body(row) { first[$0 / 32] >> UInt32(31 - $0 % 32) & 1 == 1 }
      }
    }
  }

  /// Clears the pixels of a picture of 1 bit outside a span of each row.
  func clear(outside span: (_ row: Int) -> Range<Int>) {
    guard let words = CLeptonica_words(address) else { return }
    let (width, wordsPerRow) = (width, wordsPerRow)
    withExtendedLifetime(self) {
      for row in 0..<height {
        let kept = span(row).clamped(to: 0..<width)
        for word in 0..<wordsPerRow {
          let bits = kept.clamped(to: word * 32..<word * 32 + 32)
          let (first, count) = (bits.lowerBound - word * 32, bits.count)
          let mask: UInt32 =
            count == 32 ? .max : (1 << UInt32(count) - 1) << UInt32(32 - first - count)
          words[row * wordsPerRow + word] &= count == 0 ? 0 : mask
        }
      }
    }
  }

  /// The levels of a gray picture, row by row.
  var levels: [UInt8] {
    guard let words = CLeptonica_words(address) else { return [] }
    let (width, height, wordsPerRow) = (width, height, wordsPerRow)
    return withExtendedLifetime(self) {
      [UInt8](unsafeUninitializedCapacity: width * height) { levels, count in
        for row in 0..<height {
          let first = words + row * wordsPerRow
          for column in 0..<width {
            levels[count] = UInt8(
              truncatingIfNeeded: first[column / 4] >> UInt32(8 * (3 - column % 4)))
            count += 1
          }
        }
      }
    }
  }
}

/// A box of whole pixels.
struct PixelBox: Sendable, Hashable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var right: Int { x + width }
  var bottom: Int { y + height }
  var area: Int { width * height }

  init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Reads a box with a call that returns 0 for success.
  fileprivate init?(
    _ read: (
      UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>,
      UnsafeMutablePointer<Int32>
    ) -> Int32
  ) {
    var (x, y, width, height): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard read(&x, &y, &width, &height) == 0 else { return nil }
    self.init(x: Int(x), y: Int(y), width: Int(width), height: Int(height))
  }
}
