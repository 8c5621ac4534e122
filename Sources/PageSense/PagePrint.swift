/// A page with its print: where it is, its light, and its text.
struct PagePrint {
  /// The page that stands out; `nil` if none does.
  let page: OutlineFinder.Page?
  /// The page's outline, or the whole picture, in the picture with colors.
  let outline: Quadrilateral
  /// The same outline in the picture that text is read in.
  let outlineOfText: Quadrilateral
  let light: PageLight
  /// The reader of the text; `nil` for a page that is too small.
  let reader: TextReader?
  let text: TextReader.Text
  /// Whether the page is a dark cover that was found as one.
  private(set) var isDarkCover: Bool

  /// Reads the print in the outline of a page, or in the whole picture.
  private init(
    _ page: OutlineFinder.Page?, isLightOnDark: Bool = false, isDarkCover: Bool = false,
    colors: SmallPicture, picture: SmallPicture
  ) {
    self.page = page
    self.isDarkCover = isDarkCover
    outline = page?.outline ?? .whole(width: colors.width, height: colors.height)
    outlineOfText = outline.scaled(by: colors.scale(to: picture))
    light = PageLight(colors, page: outline)
    let read = TextReader.read(
      picture, page: outlineOfText, paper: light.paper, isLightOnDark: isLightOnDark)
    (reader, text) = (read?.reader, read?.text ?? TextReader.Text())
  }

  /// Finds and reads the page.
  ///
  /// Light print is looked for only where the page has no dark print, so that it costs and changes
  /// nothing elsewhere.
  ///
  /// - Parameters:
  ///   - picture: the picture that text is read in.
  ///   - colors: the smaller picture with colors.
  static func find(in picture: SmallPicture, colors: SmallPicture) -> PagePrint {
    let finder = OutlineFinder(colors)
    let plain = PagePrint(finder.find(), colors: colors, picture: picture)
    guard plain.text.confidence < 1, plain.text.letterHeight == nil else { return plain }
    let isCutOff = plain.page.map { $0.sidesCutOff > 0 } ?? true
    if plain.page != nil, plain.light.paper < PageThresholds.darkCover {
      // A cover may be dark on a ground that is darker still.
      var dark = PagePrint(plain.page, isLightOnDark: true, colors: colors, picture: picture)
      // The noise of a dark room is no text.
      dark.isDarkCover = dark.text.letterHeight != nil
      if dark.isCover, dark.text.letterCount > plain.text.letterCount { return dark }
    }
    // A dark picture lies on a page that is cut off, or has the letters around it of a page that
    // fills the frame.
    guard isCutOff, let cover = finder.findCover(),
      plain.page?.outline.contains(cover.outline.middle) != true,
      !plain.hasLetters(around: cover.outline.scaled(by: colors.scale(to: picture)))
    else { return plain }
    let dark = PagePrint(
      cover, isLightOnDark: true, isDarkCover: true, colors: colors, picture: picture)
    return dark.isCover ? dark : plain
  }

  /// Whether the paper is dark and has letters.
  private var isCover: Bool {
    light.paper < PageThresholds.darkCover
      && text.letterCount >= PageThresholds.fewestLightLetters
  }

  /// Whether there is text around an outline; in the dark, noise looks like letters.
  private func hasLetters(around outline: Quadrilateral) -> Bool {
    guard let reader, light.paper >= PageThresholds.darkPaper else { return false }
    return reader.letterCount(beyond: PageThresholds.coverMargin, of: outline)
      >= PageThresholds.fewestLetters
  }
}

extension SmallPicture {
  /// Returns the factors from places in this picture to places in another copy of the same frame.
  fileprivate func scale(to other: SmallPicture) -> SIMD2<Double> {
    SIMD2(Double(other.width) / Double(width), Double(other.height) / Double(height))
  }
}
