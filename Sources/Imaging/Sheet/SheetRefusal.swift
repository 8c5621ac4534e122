/// The reason why the scale of a frame could not be measured on a sheet.
package enum SheetRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// No object with four sides is wholly in view.
  case notFound
  /// There is another object of the sheet's shape, beside the sheet or beneath it.
  case several
  /// The sheet is lighter or darker than the ground by only this number of 255 levels.
  case lowContrast(levels: Int)
  /// A side has too few points on one line.
  case unclearEdge
  /// Opposite sides differ by this share of their length, above ``SheetScale/keystoneLimit``.
  case keystone(Double)
  /// The longer side is this multiple of the shorter one, and not the wanted multiple.
  case shape(Double, wanted: Double)

  /// The reason and the remedy in one sentence.
  package var description: String {
    switch self {
    case .notFound:
      "No sheet was found whose four edges are all in view: lay one sheet flat and wholly into the "
        + "picture, on ground that is much darker or lighter."
    case .several:
      "More than one thing of that shape was found: take away other sheets, and a mat that is not "
        + "larger than the picture."
    case .lowContrast(let levels):
      "The sheet is only \(levels) of 255 levels lighter or darker than the ground: lay it on darker "
        + "or lighter ground, or give more light."
    case .unclearEdge:
      "An edge of the sheet is bent, blurred or covered: smooth the sheet, clear its edges, and focus."
    case .keystone(let share):
      "Opposite sides of the sheet differ by \(Self.rounded(share * 100, 10)) %: point the camera "
        + "straight at the sheet."
    case .shape(let found, let wanted):
      "The sheet has sides of 1 to \(Self.rounded(found, 1000)), not of 1 to "
        + "\(Self.rounded(wanted, 1000)): name the size that it has, and point the camera straight at it."
    }
  }

  private static func rounded(_ number: Double, _ steps: Double) -> Double {
    (number * steps).rounded() / steps
  }
}
