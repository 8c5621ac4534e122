/// The search for print that is so blurred that neither letters nor edges are left of it.
///
/// Print like that is a gray part of the page with paper around it. Shadows, hands and the fall of the
/// light reach the page's border.
struct PageSmear {
  /// The share of the page that is brighter than what counts as its paper.
  private static let brightest = 0.1

  /// The share of the page that is smeared.
  let share: Double

  /// Reads a page in the small picture.
  init(_ picture: SmallPicture, page: Quadrilateral) {
    let fields = PageFields(picture, page: page, share: 0.5)
    let levels = fields.levels.compactMap { $0 }.sorted()
    guard !levels.isEmpty else {
      share = 0
      return
    }
    let paper = Double(levels[Int(Double(levels.count) * (1 - Self.brightest))])
    let isGray = { (level: Int) in PageThresholds.smear.contains(Double(level) / max(paper, 1)) }
    let gray = levels.count(where: isGray)
    share = Double(gray - fields.joinedToBorder(isGray).count) / Double(levels.count)
  }

  /// Whether the page is smeared enough to be warned of.
  var isLarge: Bool { share >= PageThresholds.smearedShare }
}
