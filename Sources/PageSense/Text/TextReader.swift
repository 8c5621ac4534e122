/// The text of a page in a small picture: which way up, how crooked, where, and how large.
struct TextReader {
  /// The findings, in pixels and axes of the small picture.
  struct Text: Sendable, Hashable {
    /// The best guess for the clockwise angle that turns the text upright: 0, 90, 180 or 270.
    var angle = 0
    /// The trust in the angle: 1 and more for a known one, 0 if the methods contradict each other.
    var confidence = 0.0
    /// The clockwise angle in degrees that levels the lines after the turn; `nil` if unknown.
    var skew: Double?
    /// The height of a small letter x; `nil` without text.
    var letterHeight: Double?
    /// The regions of text, the largest first.
    var regions: [PixelBox] = []
    /// The number of letters.
    var letterCount = 0
    /// Whether the letters are so small that they have to be enlarged fully.
    fileprivate var isSmall = false
  }

  /// The letters of a page, and the even gray picture that they were taken from.
  private let letters: Pix
  /// The page with even paper: the levels of its box, row by row.
  let levels: [UInt8]
  /// The box of the page in the small picture.
  let box: PixelBox
  /// The enlargement of the letters.
  private let enlargement: Double

  /// Separates letters from paper; `nil` for a picture that is too small, or without memory.
  ///
  /// - Parameters:
  ///   - picture: the small picture.
  ///   - page: the page in the small picture's pixels.
  ///   - paper: the level of the page's paper, 0...255.
  ///   - isLightOnDark: whether the ink is lighter than the paper.
  ///   - isFull: whether the text is enlarged fully, however large the page is.
  private init?(
    _ picture: SmallPicture, page: Quadrilateral, paper: Int, isLightOnDark: Bool, isFull: Bool
  ) {
    box = page.box(width: picture.width, height: picture.height)
    let affordable = (PageThresholds.enlargedPixels / Double(box.area)).squareRoot()
    enlargement =
      isFull || affordable >= PageThresholds.leastReduced
      ? PageThresholds.enlargement : max(1, affordable)
    func level(_ luma: Int) -> Int { isLightOnDark ? 255 - luma : luma }
    let ground = level(paper)
    let gain = ground < PageThresholds.brightPaper ? 210 / Double(max(ground, 8)) : 1
    let brightened = (0...255).map { UInt8(min(Double(level($0)) * gain, 255)) }
    guard box.width >= 32, box.height >= 32,
      let gray = Pix(picture, part: box, levels: brightened)?.normalized(),
      let ink = gray.enlarged(by: enlargement)?.darker(than: PageThresholds.inkLevel)
    else { return nil }
    let origin = SIMD2(Double(box.x), Double(box.y))
    let inside = page.shrunk(to: 0.97).scaled(by: SIMD2(repeating: enlargement), from: origin)
    ink.clear { inside.span(ofRow: $0) }
    guard
      let letters = ink.letters(
        smallest: PageThresholds.smallestLetter * enlargement,
        largest: PageThresholds.largestLetter * enlargement)
    else { return nil }
    self.letters = letters
    levels = gray.levels
  }

  /// An axis of the lines: level ones, or those that a quarter turn levels.
  private struct Axis {
    var picture: Pix
    var skew: (degrees: Double, confidence: Double)
    var boxes: [PixelBox]
    var pairs: LetterPairs
  }

  /// Reads the text of a page; `nil` for a picture that is too small, or without memory.
  ///
  /// A large page is not enlarged fully, which takes twice as long, unless its letters are small or
  /// its way up is nearly known.
  ///
  /// - Parameters:
  ///   - picture: the small picture.
  ///   - page: the page in the small picture's pixels.
  ///   - paper: the level of the page's paper, 0...255.
  ///   - isLightOnDark: whether the ink is lighter than the paper.
  static func read(
    _ picture: SmallPicture, page: Quadrilateral, paper: Int, isLightOnDark: Bool
  ) -> (reader: TextReader, text: Text)? {
    func reader(isFull: Bool) -> TextReader? {
      TextReader(
        picture, page: page, paper: paper, isLightOnDark: isLightOnDark, isFull: isFull)
    }
    guard let first = reader(isFull: false) else { return nil }
    let text = first.read()
    let isNearlyKnown = text.confidence >= PageThresholds.nearlyKnown && text.confidence < 1
    guard first.enlargement < PageThresholds.enlargement, text.isSmall || isNearlyKnown,
      let full = reader(isFull: true)
    else { return (first, text) }
    return (full, full.read())
  }

  /// Whether the marks in a part of a text, enlarged, tell that the text lies the other way.
  ///
  /// - Parameters:
  ///   - text: the text, whose way up seems known.
  ///   - picture: the part.
  ///   - page: the page in the part's pixels.
  ///   - paper: the level of the page's paper, 0...255.
  static func contradicts(
    _ text: Text, in picture: SmallPicture, page: Quadrilateral, paper: Int
  ) -> Bool {
    let reader = TextReader(
      picture, page: page, paper: paper, isLightOnDark: false, isFull: false)
    let lines = text.angle % 180 == 0 ? reader?.letters : reader?.letters.quarterTurned()
    guard let boxes = lines?.turned(by: text.skew ?? 0)?.boxes() else { return false }
    let height = LetterPairs(boxes).letterHeight
    return height >= PageThresholds.smallLetter
      && Punctuation(boxes, letterHeight: height).contradict(isUpsideDown: text.angle >= 180)
  }

  private func read() -> Text {
    var text = Text()
    guard let turned = letters.quarterTurned() else { return text }
    let pictures = [letters, turned]
    let axes = pictures.compactMap { picture -> Axis? in
      let skew = picture.skew()
      guard let level = picture.turned(by: skew.degrees) else { return nil }
      let boxes = level.boxes()
      return Axis(picture: level, skew: skew, boxes: boxes, pairs: LetterPairs(boxes))
    }
    guard axes.count == 2 else { return text }
    text.letterCount = axes[0].pairs.count
    guard text.letterCount >= PageThresholds.fewestLetters else { return text }
    let excess = axes.map { abs($0.pairs.excess) }
    // Without pairs, as in tables, the skew's own confidence tells the axis.
    let areLinesUpright =
      max(excess[0], excess[1]) >= 1
      ? excess[1] > excess[0] : axes[1].skew.confidence > axes[0].skew.confidence
    let axis = axes[areLinesUpright ? 1 : 0]
    let isUpsideDown = axis.pairs.excess < 0
    text.angle = (areLinesUpright ? 90 : 0) + (isUpsideDown ? 180 : 0)
    text.confidence = confidence(axis, other: axes[areLinesUpright ? 0 : 1])
    text.skew = skew(of: axes, pictures, uprightLines: text.confidence >= 1 ? areLinesUpright : nil)
    text.isSmall = axis.pairs.letterHeight < PageThresholds.smallLetter
    // Without pairs nothing tells a small letter from a capital, a digit or a piece of one.
    if axis.pairs.letterHeight > 0, axis.pairs.shareOfHeight >= PageThresholds.shareOfHeight,
      axis.pairs.share >= PageThresholds.pairShare / 2
    {
      text.letterHeight = Double(axis.pairs.letterHeight) / enlargement
    }
    text.regions = regions(letterHeight: axis.pairs.letterHeight)
    return text
  }

  /// Returns the skew of the text in degrees; `nil` if it is unknown.
  ///
  /// Lines and columns have one skew. So the axis that is surer of it tells the skew of capitals,
  /// digits and other scripts, whose pairs do not tell the lines.
  ///
  /// - Parameters:
  ///   - axes: the two axes.
  ///   - pictures: their pictures before they were leveled.
  ///   - uprightLines: whether the lines are upright; `nil` if it is unknown.
  private func skew(of axes: [Axis], _ pictures: [Pix], uprightLines: Bool?) -> Double? {
    let isSecond = uprightLines ?? (axes[1].skew.confidence > axes[0].skew.confidence)
    let (degrees, confidence) = axes[isSecond ? 1 : 0].skew
    let least =
      uprightLines == nil ? PageThresholds.skewConfidence : PageThresholds.skewConfidenceOfText
    guard confidence >= least else { return nil }
    // The search has half the resolution, which is too low without the full enlargement.
    return enlargement < PageThresholds.enlargement
      ? pictures[isSecond ? 1 : 0].skew(near: degrees) : degrees
  }

  /// Returns the number of letters beyond an outline of the small picture by more than a distance.
  func letterCount(beyond distance: Double, of outline: Quadrilateral) -> Int {
    letters.boxes().count { letter in
      let middle = SIMD2(
        Double(letter.x + letter.right) / 2, Double(letter.y + letter.bottom) / 2)
      return outline.isBeyond(
        distance, SIMD2(Double(box.x), Double(box.y)) + middle / enlargement)
    }
  }

  /// Returns the trust in the way up: that of the method that is less sure.
  private func confidence(_ axis: Axis, other: Axis) -> Double {
    let pairs = axis.pairs.trust(beside: other.pairs)
    // The second method takes as long as everything before it.
    guard pairs >= 1 else { return pairs }
    // The marks of smaller letters cannot be told from pieces of them.
    if axis.pairs.letterHeight >= PageThresholds.smallLetter,
      Punctuation(axis.boxes, letterHeight: axis.pairs.letterHeight)
        .contradict(isUpsideDown: axis.pairs.excess < 0)
    {
      return 0
    }
    let ascenders = axis.picture.ascenders(letterHeight: axis.pairs.letterHeight)
    guard (ascenders < 0) == (axis.pairs.excess < 0) else { return 0 }
    let tallAscenders =
      axis.pairs.shareOfTall * abs(ascenders) / Double(axis.pairs.count).squareRoot()
    return min(
      pairs, abs(ascenders) / PageThresholds.ascenders,
      tallAscenders / PageThresholds.tallAscenders,
      abs(ascenders * axis.pairs.excess) / PageThresholds.product)
  }

  /// Joins letters to words and lines to paragraphs.
  private func regions(letterHeight: Int) -> [PixelBox] {
    let reduction = 4
    // The lines of a paragraph are about three letters x apart.
    let reach = min(max(3 * letterHeight / reduction, 3), 63)
    let joined = letters.morphed("r11 + c\(reach).\(reach) + o3.3")
    let scale = Double(reduction) / enlargement
    let regions = joined?.boxes().map { region in
      PixelBox(
        x: box.x + Int(Double(region.x) * scale), y: box.y + Int(Double(region.y) * scale),
        width: max(1, Int(Double(region.width) * scale)),
        height: max(1, Int(Double(region.height) * scale)))
    }
    return Array((regions ?? []).sorted { $0.area > $1.area }.prefix(32))
  }
}
