public import API

/// Makes of previews what is sent to a terminal.
public struct PreviewPainter: Sendable {
  /// How large the picture should be.
  public let wish: PreviewWish
  /// How often it may be drawn.
  public let pace: RefreshPace
  /// The lines beside the picture, or the picture in characters with them.
  public let view: PreviewView
  private let rows: Int
  private let isAddressable: Bool
  private let isSixel: Bool

  /// Makes a painter for a terminal.
  ///
  /// - Parameters:
  ///   - size: its height and width.
  ///   - isAddressable: whether it knows the escape sequences of a VT100.
  ///   - isSixel: whether to draw sixels instead of characters.
  ///   - width: the most columns of the picture; `nil` for as many as there is room for.
  ///   - height: the most rows of the picture; `nil` for as many as there is room for.
  ///   - pace: how often, and how fast the line is.
  public init(
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
      // The last column would wrap, and the cursor stands below.
      : (width: size.columns - 1, height: size.rows - 1 - PreviewView.footRows)
    func side(_ wanted: Int?, _ room: Int) -> Int {
      let most = wanted.map { isSixel || !isAddressable ? $0 : min($0, room) } ?? room
      return min(max(most, PreviewWish.sides.lowerBound), PreviewWish.sides.upperBound)
    }
    wish = PreviewWish(
      width: side(width, room.width), height: side(height, room.height),
      pixelAspect: isSixel ? 1 : CharacterPicture.pixelAspect)
  }

  /// What makes the terminal's state sound again when a drawing is broken off, or is the last.
  public var end: [UInt8] {
    let picture = isSixel ? SixelEncoder.end : ""
    return Array((picture + (isAddressable ? VT100.below(rows: rows) : "\n")).utf8)
  }

  /// A preview, in place of the one before on a terminal that can do that.
  ///
  /// - Parameter isFirst: whether something else is on the screen.
  public func drawing(_ report: PreviewReport, _ track: FocusTrack, isFirst: Bool) -> [UInt8] {
    guard isSixel else { return drawing(view.lines(report, track), isFirst: isFirst) }
    // How many rows the picture takes is the terminal's to know, so that it comes last.
    let foot = view.foot(report, track)
    let picture = SixelEncoder.encode(report) + "\n"
    guard isAddressable else { return drawing(foot, isFirst: isFirst) + Array(picture.utf8) }
    let lines = foot.map { PlainText.escaping($0) + VT100.eraseRow + "\n" }.joined()
    return Array(((isFirst ? VT100.clear : VT100.home) + lines + picture).utf8)
  }

  /// Why there is no preview.
  public func drawing(refusal: APIError, isFirst: Bool) -> [UInt8] {
    drawing(view.lines(refusal: refusal), isFirst: isFirst)
  }

  private func drawing(_ lines: [String], isFirst: Bool) -> [UInt8] {
    if isAddressable {
      // A screen that is lower than the lowest picture shows the end of it.
      let visible = Array(lines.suffix(max(1, rows - 1)))
      return Array(VT100.screen(visible, isFirst: isFirst).utf8)
    }
    return Array(lines.map { PlainText.escaping($0) + "\n" }.joined().utf8)
  }
}
