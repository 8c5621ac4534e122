/// The numbers that readings of pages are decided by.
///
/// The numbers were chosen on pages of `board/bench pages`: the margins stand with them. The seeds of
/// those pages are `SETTING_SEEDS` of `board/pages/scenes.py`, and no check uses them.
enum PageThresholds {
  /// The maximum number of pixels of the picture that text is read in.
  static let textPixels = 1_200_000.0
  /// The maximum side of the picture that outline, light and hands are read in.
  static let outlineSide = 320
  /// The full enlargement of the text; letters of half the size were unknown too often without it.
  static let enlargement = 2.0
  /// The number of pixels to which the text is enlarged, and the enlargement that is not reduced.
  ///
  /// Leptonica doubles a picture in half the time of other factors.
  static let (enlargedPixels, leastReduced) = (2_000_000.0, 1.7)
  /// The height of the commonest letters, in enlarged pixels, below which they are enlarged fully.
  ///
  /// Pages that fill less of the picture had letters of 8 pixels and more at the full enlargement.
  static let smallLetter = 8
  /// The trust in the way up from which an unknown one may become known at the full enlargement.
  static let nearlyKnown = 0.5

  // The outline.
  /// The number of thresholds that are tried for a page.
  static let outlineLevels = 14
  /// The minimum share of the picture that a page covers.
  static let smallestPage = 0.04
  /// The range of a page's area as a share of its outline: hands take away, and desks add.
  static let fill = 0.8...1.06
  /// The minimum step of the light over each side, in levels of 255.
  static let sideContrast = 6.0

  // The text.
  /// The level of paper and the maximum level of ink after the background is made even.
  static let (paperLevel, inkLevel) = (200, 150)
  /// The paper's level below which the picture is brightened first: Leptonica needs bright paper.
  static let brightPaper = 200
  /// The range of components that may be letters, in pixels before the enlargement.
  static let (smallestLetter, largestLetter) = (2.0, 60.0)
  /// The minimum number of letters of a text.
  static let fewestLetters = 30
  /// The minimum share of letters that have the height of a small letter x.
  ///
  /// Text has 0.24 to 0.6, and Korean syllables with pairs have up to 0.19.
  static let shareOfHeight = 0.2
  /// The largest skew that is looked for, in degrees.
  static let skewRange: Float = 10
  /// The minimum confidence of a skew, and that of a text whose way up is known.
  ///
  /// Capitals, digits and other scripts have 2.5 and more along one axis, and 1.7 was by chance.
  static let (skewConfidence, skewConfidenceOfText) = (2.3, 1.2)

  // The orientation. Two methods that count different things must be sure and agree.
  /// The minimum of (up − down) / √(up + down) for pairs of letters: text has 7 to 30.
  static let pairs = 5.0
  /// The minimum ratio of pairs for and against: text has 2 to 8.
  static let pairRatio = 1.5
  /// The minimum share of letters that have such a pair: text has 0.098 to 0.3, digits up to 0.06.
  static let pairShare = 0.08
  /// The minimum share of tall letters: Latin has 0.19 to 0.43, Cyrillic 0.12 to 0.16.
  ///
  /// Both methods take Cyrillic for Latin that is upside down.
  static let shareOfTall = 0.17
  /// The maximum ratio of pairs to the share of the letter x's height: text has 5 to 50.
  ///
  /// Korean syllables with pairs have 105 and more.
  static let oneSidedness = 70.0
  /// The height of a small letter x, in pixels, at which Leptonica compares ascenders.
  ///
  /// At 8 to 12 pixels it was unsure of narrow and sans-serif letters. Letters below 8 pixels become
  /// ragged, and it was less sure of them enlarged.
  static let heightForAscenders: Float = 18
  /// The minimum of Leptonica's confidence, and of its product with that of the pairs.
  ///
  /// Text has 12 to 66 and a product of 110 or more.
  static let (ascenders, product) = (8.0, 75.0)
  /// The minimum of Leptonica's confidence / √letters, times the share of tall letters.
  ///
  /// Latin has 0.084 to 0.43, and Cyrillic up to 0.054.
  static let tallAscenders = 0.067

  /// The marks before words that are tolerated: a number or a share of the letters, and a multiple of
  /// the marks after words.
  ///
  /// Opening quotation marks were up to 0.006 of the letters, and 10 times as many as the others.
  static let openingMarks = (count: 3.0, share: 0.004, ratio: 5.0)

  /// The share of marks, dots and pieces of letters above which no marks are told from pieces.
  ///
  /// Cyrillic that was taken to lie the other way had up to 0.15, and Latin in pieces 0.34 to 0.44.
  static let shareOfPieces = 0.3

  /// The number of regions that are read in the frame itself where the way up is unknown.
  static let closeUps = 3
  /// The number of the frame's pixels in which marks are counted again.
  static let markPixels = 400_000.0
  /// The minimum ratio of a frame's pixels to those that its text is read in, for another count.
  static let reduced = 1.3

  // Light print on dark covers and spines.
  /// The level of the paper below which print may be lighter than it.
  static let darkCover = 110
  /// The minimum number of letters of light print: the titles of spines have 10 and more.
  static let fewestLightLetters = 8
  /// The distance from a dark cover beyond which letters are those of a page around it, in pixels.
  static let coverMargin = 12.0

  // The warnings.
  /// The level, after the background is made even, below which a pixel counts as ink.
  static let faintInk = 180
  /// The number of letters below which a page may be empty: dust counts as a few.
  static let emptyLetters = 8
  /// The share of ink below which a page without letters is empty: blank paper has up to 0.0012.
  static let emptyInk = 0.002
  /// The number of places with letters' edges that must be measured.
  static let fewestEdges = 8
  /// The range of the widest edge of sharp text in pixels: 1.6 to 2.9 were measured, 7.5 blurred.
  static let sharpEdge = 3.0...8.0
  /// The widest edge of sharp ink whose letters cannot be told, in pixels.
  static let sharpInk = 6.0
  /// The range of the light of smeared print as a share of the paper's, and the minimum share of the
  /// page that is smeared.
  static let (smear, smearedShare) = (0.4...0.94, 0.1)
  /// The level of light that counts as saturated.
  static let saturated: UInt8 = 247
  /// The shares of saturated paper from which it is a reflection, and too much light altogether.
  static let (glare, overexposure) = (0.003, 0.6)
  /// The share of saturated paper from which there is too much light for a part of the text.
  static let partlyOverexposed = 0.3
  /// The minimum share of the page that a shadow takes, along and in area.
  static let shadow = 0.1
  /// The minimum ratio of dark paper to the ground beside it; the brightest desk has 1.4.
  static let shadowEdge = 1.25
  /// The level of the paper below which the page is too dark: 31 to 42 were measured, 130 in light.
  static let darkPaper = 60
  /// The difference of skin from paper in red and blue chroma; the palest skin has 10 and −8.
  static let (skinRed, skinBlue) = (8, -3)
  /// The level from which light drowns the color of skin.
  static let skinLight: UInt8 = 240
  /// The minimum share of the page that a hand covers.
  static let hand = 0.003
  /// The tolerated difference of a hand within the page and beyond its edge: luma and chroma.
  static let (handLuma, handChroma) = (25, 6)
  /// The minimum share of the places at a page's side where the hand goes on beyond.
  static let handCrossing = 0.6
}
