/// The findings about the page in a picture.
///
/// All places and angles are those of the picture as the camera gave it, before any rotation.
/// Places are fractions of its width and height, 0...1, from the top left.
package struct PageFindings: Sendable, Hashable, Codable {
  /// A place in the picture.
  package struct Point: Sendable, Hashable, Codable {
    /// The fraction of the width, from the left.
    package var x: Double
    /// The fraction of the height, from the top.
    package var y: Double

    package init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// An upright box in the picture.
  package struct Region: Sendable, Hashable, Codable {
    /// The left side, a fraction of the width.
    package var x: Double
    /// The upper side, a fraction of the height.
    package var y: Double
    /// The width, a fraction of the picture's.
    package var width: Double
    /// The height, a fraction of the picture's.
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// The clockwise angle that turns the text upright: 0, 90, 180 or 270; `nil` if unknown.
  package var textAngle: Int?
  /// The trust in ``textAngle``, or in the best guess without it: above 1 for a known angle.
  package var textConfidence: Double?
  /// The clockwise angle in degrees that levels the lines after the turn, −45...45; `nil` if unknown.
  package var skew: Double?
  /// The page's corners, clockwise from the one at the top left; `nil` if no page stands out.
  package var outline: [Point]?
  /// The regions of text, from the largest on, 32 at most.
  package var regions: [Region] = []
  /// The height of a small letter x in pixels of the picture; `nil` without text.
  package var letterHeight: Double?
  /// The width of the print's edges in pixels of the picture; `nil` without print.
  ///
  /// The edges are those of letters. Text too blurred to be told from other print has them too.
  package var edgeWidth: Double?
  /// The problems of the picture, in the order of ``PageWarning``'s cases.
  package var warnings: [PageWarning] = []

  package init() {}
}

extension KeyedDecodingContainer {
  /// Reads the warnings that are known here; the derived reading of ``PageFindings`` calls it.
  ///
  /// A later version may have written others, and the other findings are still good.
  ///
  /// - Throws: `DecodingError` for a value that is no list of texts.
  fileprivate func decode(
    _ type: [PageWarning].Type, forKey key: Key
  ) throws -> [PageWarning] {
    try decode([String].self, forKey: key).compactMap { PageWarning(rawValue: $0) }
  }
}
