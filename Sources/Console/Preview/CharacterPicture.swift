package import API

/// A converter of previews to characters.
package enum CharacterPicture {
  /// The characters from black to white for a bright-on-dark terminal, none equal to the mark.
  static let ramp = Array(" .:-=*o%#@")
  /// The mark at the middle and at the corners of the measured part.
  static let mark: Character = "+"
  /// The mark at the corners of the page.
  static let pageMark: Character = "X"
  /// The mark at the corners of each region of text.
  static let textMark: Character = "T"
  /// The ratio of a character's width to its height: a VT100's cell of 10 by 20 dots.
  package static let pixelAspect = 0.5

  /// Returns the lines of a picture from top to bottom; none if the report has no picture.
  package static func lines(
    _ report: PreviewReport, _ page: PagePreviewReport? = nil
  ) -> [String] {
    guard let samples = report.samples else { return [] }
    let framing = FramingMarks(report, page)
    let (marks, texts) = (framing.points(length: 1), framing.textCorners)
    return (0..<report.height).map { row in
      String(
        (0..<report.width).map { column in
          let point = FramingMarks.Point(column: column, row: row)
          if framing.page.contains(point) { return pageMark }
          guard !marks.contains(point) else { return mark }
          guard !texts.contains(point) else { return textMark }
          return ramp[Int(samples[row * report.width + column]) * ramp.count / 256]
        })
    }
  }
}
