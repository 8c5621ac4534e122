package import Devices

/// A score of how well a camera is aimed at a page, with the next thing to do.
///
/// The score is the product of five grades. The worst of them, the earliest of equally bad ones,
/// decides about the advice:
///
/// | grade | full | nothing left |
/// |---|---|---|
/// | the page is inside the picture | a margin of 1 % | no margin |
/// | the page fills the picture | 80 % of a side | 30 % of both sides |
/// | the page lies straight | a third of the permitted skew | three times the permitted skew |
/// | the letters are large enough | the least height | half the least height |
/// | the text is sharp | edges of 3 pixels | edges of 9 pixels |
///
/// A grade that cannot be measured is full. The grades for the inside and for sharp text keep a
/// part, because a page without a margin can still be read.
package struct PageAim: Sendable, Hashable {
  /// The score, 0 without a page to 1.
  package let score: Double
  /// A sentence with the next thing to do, or with the praise of a good aim.
  package let advice: String

  /// The score from which there is nothing left to do.
  package static let goodScore = 0.9

  /// Rates the aim of a picture.
  ///
  /// - Parameters:
  ///   - findings: the findings about the picture.
  ///   - limits: the limits of the letters and of the skew.
  package init(_ findings: PageFindings, limits: PageLimits = PageLimits()) {
    guard findings.outline != nil || !findings.regions.isEmpty else {
      (score, advice) = (0, "Lay a page under the camera.")
      return
    }
    let grades = Self.grades(of: findings, limits)
    let score = grades.reduce(1) { $0 * $1.grade }
    self.score = score
    // The first of equal minimums is the one that `min(by:)` returns.
    let worst = grades.min { $0.grade < $1.grade }
    advice = score >= Self.goodScore ? "The page is well aimed." : worst?.advice ?? ""
  }

  private static func grades(
    of findings: PageFindings, _ limits: PageLimits
  ) -> [(grade: Double, advice: String)] {
    let box = findings.outline.map(Box.init)
    let inside =
      findings.warnings.contains(.pageCutOff)
      ? 0.3 : box.map { 0.3 + 0.7 * grade($0.margin, full: 0.01, none: 0) } ?? 1
    let filling = box.map { grade($0.longest, full: 0.8, none: 0.3) } ?? 1
    let skew = findings.skew ?? 0
    let straight = grade(abs(skew), full: limits.maximumSkew / 3, none: limits.maximumSkew * 3)
    let size =
      findings.letterHeight.map {
        grade($0, full: limits.minimumLetterHeight, none: limits.minimumLetterHeight / 2)
      } ?? 1
    let edges = findings.edgeWidth.map { 0.2 + 0.8 * grade($0, full: 3, none: 9) } ?? 1
    let sharp = findings.warnings.contains(.textBlurred) ? min(edges, 0.5) : edges
    let degrees = max(1, Int(abs(skew).rounded()))
    return [
      (inside, "Move the whole page into the picture."),
      (filling, "Bring the camera nearer, or zoom in."),
      (straight, "Turn the page \(skew < 0 ? "counterclockwise" : "clockwise") by \(degrees)°."),
      (size, PageWarning.lettersTooSmall.facts.advice),
      (sharp, "Focus the camera on the page."),
    ]
  }

  /// Returns how far a value is from a bad to a good one, 0...1.
  private static func grade(_ value: Double, full: Double, none: Double) -> Double {
    min(max((value - none) / (full - none), 0), 1)
  }

  /// The upright box around an outline.
  private struct Box {
    /// The least distance of a corner from the picture's border, negative outside.
    let margin: Double
    /// The longer side, as a fraction of the picture's side along it.
    let longest: Double

    init(_ outline: [PageFindings.Point]) {
      let (x, y) = (outline.map(\.x), outline.map(\.y))
      let (left, right) = (x.min() ?? 0, x.max() ?? 0)
      let (top, bottom) = (y.min() ?? 0, y.max() ?? 0)
      margin = min(left, top, 1 - right, 1 - bottom)
      longest = max(right - left, bottom - top)
    }
  }
}
