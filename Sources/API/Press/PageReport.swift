package import Devices

/// The findings about the page in a picture.
///
/// All places and angles are those of the picture's file before its EXIF Orientation is applied.
/// Places are fractions of the width and the height, 0...1, from the top left.
package struct PageReport: Sendable, Hashable, Codable {
  /// A place in the picture.
  package struct Point: Sendable, Hashable, Codable {
    /// The fraction of the width, from the left.
    package let x: Double
    /// The fraction of the height, from the top.
    package let y: Double
  }

  /// An upright box in the picture.
  package struct Region: Sendable, Hashable, Codable {
    /// The left side, a fraction of the width.
    package let x: Double
    /// The upper side, a fraction of the height.
    package let y: Double
    /// The width, a fraction of the picture's.
    package let width: Double
    /// The height, a fraction of the picture's.
    package let height: Double
  }

  /// A problem of the picture for which the page should be taken again.
  package struct Warning: Sendable, Hashable, Codable {
    /// The warning's code, for example `pageCrooked`.
    package let code: Word<PageWarning>
    /// The meaning, a sentence without its full stop.
    package let meaning: String
    /// The advice for the operator; the first word is the action.
    package let advice: String

    package init(_ warning: PageWarning) {
      code = Word(warning)
      meaning = warning.facts.meaning
      advice = warning.facts.advice
    }
  }

  /// The clockwise angle in degrees that levels the lines of upright text, −45...45.
  ///
  /// `nil` when not known.
  package let skew: Double?
  /// The page's corners, clockwise from the one at the top left; `nil` if no page stands out.
  package let outline: [Point]?
  /// The regions of text, from the largest on; only in the answer to `GET /v1/presses/{number}`.
  package let regions: [Region]?
  /// The height of a small letter x in pixels of the picture; `nil` without text.
  package let letterHeight: Double?
  /// The problems of the picture, the most important first; empty for none.
  package let warnings: [Warning]

  /// Makes the report of all findings.
  package init(_ findings: PageFindings, hasRegions: Bool = false) {
    skew = finite(findings.skew)
    outline = findings.outline.map { $0.map { Point(x: $0.x, y: $0.y) } }
    regions =
      hasRegions
      ? findings.regions.map { Region(x: $0.x, y: $0.y, width: $0.width, height: $0.height) } : nil
    letterHeight = finite(findings.letterHeight)
    warnings = findings.warnings.map { Warning($0) }
  }

  /// Makes the report of a picture of which only the warnings are known.
  package init(warnings: [PageWarning]) {
    skew = nil
    outline = nil
    regions = nil
    letterHeight = nil
    self.warnings = warnings.map { Warning($0) }
  }
}
