/// The limits of a picture of a straightened page: its size, its letters and its bytes.
package struct DocumentLimits: Sendable, Hashable {
  /// The maximum of the longer side in pixels, at least 1, where the letters are large enough.
  package var longSide = 1024
  /// The height of a small letter x that a reader needs, in pixels.
  ///
  /// The picture grows up to the frame's own resolution for it. Tesseract fails below 10 pixels.
  package var minimumLetterHeight = 12.0
  /// The maximum size of the file in bytes, at least 1; it goes before the letters.
  package var maximumBytes: Int64 = 2_000_000

  package init() {}

  /// Returns the resolution of the picture as a share of the frame's own, above 0 and at most 1.
  ///
  /// - Parameters:
  ///   - extent: the width and height of the picture in the frame's own resolution.
  ///   - letterHeight: the height of a small letter x in the frame, in pixels; `nil` without text.
  func scale(of extent: SIMD2<Double>, letterHeight: Double?) -> Double {
    let fitting = Double(longSide) / extent.max()
    let readable = letterHeight.map { $0 > 0 ? minimumLetterHeight / $0 : 0 } ?? 0
    return min(1, max(fitting, readable))
  }
}
