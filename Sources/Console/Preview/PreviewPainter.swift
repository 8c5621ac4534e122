package import API

/// A converter of previews to a terminal's output.
package struct PreviewPainter: Sendable {
  /// The wanted size of the picture.
  package let previewSize: PreviewSize
  /// The pace of the drawing.
  package let pace: RefreshPace
  /// The text beside the picture, or together with the picture in characters.
  package let view: PreviewView
  private let rows: Int
  private let isAddressable: Bool
  private let isSixel: Bool

  /// Creates a painter for a terminal.
  ///
  /// - Parameters:
  ///   - size: the terminal's height and width.
  ///   - isAddressable: whether the terminal knows the escape sequences of a VT100.
  ///   - isSixel: whether to draw sixels instead of characters.
  ///   - width: the most columns of the picture; `nil` for all available ones.
  ///   - height: the most rows of the picture; `nil` for all available ones.
  ///   - pace: the interval of drawings and the speed of the line.
  package init(
    size: (rows: Int, columns: Int), isAddressable: Bool, isSixel: Bool, width: Int?, height: Int?,
    pace: RefreshPace
  ) {
    view = PreviewView(width: size.columns)
    rows = size.rows
    self.isAddressable = isAddressable
    self.isSixel = isSixel
    self.pace = pace
    let room =
      isSixel
      ? SixelEncoder.sides(for: pace)
      // The last column would wrap, and the cursor needs the last row.
      : (width: size.columns - 1, height: size.rows - 1 - PreviewView.footRows)
    func side(_ wanted: Int?, _ room: Int) -> Int {
      let most = wanted.map { isSixel || !isAddressable ? $0 : min($0, room) } ?? room
      return min(max(most, PreviewSize.sides.lowerBound), PreviewSize.sides.upperBound)
    }
    previewSize = PreviewSize(
      width: side(width, room.width), height: side(height, room.height),
      pixelAspect: isSixel ? 1 : CharacterPicture.pixelAspect)
  }

  /// The bytes that restore the terminal's state after the last or an interrupted drawing.
  package var end: [UInt8] {
    let picture = isSixel ? SixelEncoder.end : ""
    return Array((picture + (isAddressable ? VT100.below(rows: rows) : "\n")).utf8)
  }

  /// Returns the drawing of a preview, in place of the previous one if the terminal allows.
  ///
  /// - Parameters:
  ///   - page: the page in about the same frame; `nil` if none was looked for.
  ///   - isFirst: whether the screen still shows something else.
  package func drawing(
    _ report: PreviewReport, _ track: FocusTrack, _ page: PagePreviewReport? = nil, isFirst: Bool
  ) -> [UInt8] {
    guard isSixel else { return drawing(view.lines(report, track, page), isFirst: isFirst) }
    // Only the terminal knows how many rows the picture takes, so the picture comes last.
    let foot = view.foot(report, track, page)
    let picture = SixelEncoder.encode(report, page) + "\n"
    guard isAddressable else { return drawing(foot, isFirst: isFirst) + Array(picture.utf8) }
    let lines = foot.map { PlainText.escaping($0) + VT100.eraseRow + "\n" }.joined()
    return Array(((isFirst ? VT100.clear : VT100.home) + lines + picture).utf8)
  }

  /// Returns the drawing of the reason why there is no preview.
  package func drawing(refusal: APIError, isFirst: Bool) -> [UInt8] {
    drawing(view.lines(refusal: refusal), isFirst: isFirst)
  }

  private func drawing(_ lines: [String], isFirst: Bool) -> [UInt8] {
    if isAddressable {
      // A screen lower than the lowest picture shows the picture's end.
      let visible = Array(lines.suffix(max(1, rows - 1)))
      return Array(VT100.screen(visible, isFirst: isFirst).utf8)
    }
    return Array(lines.map { PlainText.escaping($0) + "\n" }.joined().utf8)
  }
}
