public import API

/// A preview in characters.
public enum CharacterPicture {
  /// From black to white, for a terminal that writes bright on dark; no mark is among them.
  static let ramp = Array(" .:-=*o%#@")
  /// What marks the middle and the corners of the part that is measured.
  static let mark: Character = "+"
  /// The width of a character against its height: that of a VT100's cell of 10 by 20 dots.
  public static let pixelAspect = 0.5

  /// The lines of a picture, from top to bottom; none when the report has no picture.
  public static func lines(_ report: PreviewReport) -> [String] {
    guard let samples = report.samples else { return [] }
    let marks = FramingMarks(report).points(length: 1)
    return (0..<report.height).map { row in
      String(
        (0..<report.width).map { column in
          guard !marks.contains(FramingMarks.Point(column: column, row: row)) else { return mark }
          return ramp[Int(samples[row * report.width + column]) * ramp.count / 256]
        })
    }
  }
}
