/// The limits of a page that its reader accepts, which depend on the reader.
package struct PageLimits: Sendable, Hashable {
  /// The minimum height of a small letter x, in pixels of the picture.
  package var minimumLetterHeight: Double
  /// The maximum angle between the lines and the picture's sides, in degrees.
  package var maximumSkew: Double
  /// The maximum width of the letters' edges, in heights of a small letter x.
  ///
  /// A stroke is a fifth of that height, so at about half of it neighboring strokes run together.
  package var maximumEdgeWidth: Double

  package init(
    minimumLetterHeight: Double = 10, maximumSkew: Double = 3, maximumEdgeWidth: Double = 0.45
  ) {
    self.minimumLetterHeight = minimumLetterHeight
    self.maximumSkew = maximumSkew
    self.maximumEdgeWidth = maximumEdgeWidth
  }
}
