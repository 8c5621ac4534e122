package import API

/// The marks on a preview: its middle, the corners of the part whose sharpness is measured, those of
/// the page, and those of the regions of text.
package struct FramingMarks: Sendable {
  /// A sample of the picture.
  package struct Point: Sendable, Hashable {
    /// The column from 0.
    package var column: Int
    /// The row from 0.
    package var row: Int
  }

  /// The corners, the upper left first, then clockwise.
  package let corners: [Point]
  /// The middle.
  package let middle: Point
  /// The corners of the page; empty without a page.
  package let page: [Point]
  /// The corners of the regions of text, the upper left ones and the lower right ones.
  package let texts: [(upper: Point, lower: Point)]

  /// Finds the marks of a preview.
  ///
  /// The measured part is half of the frame's width and height, at most 1024 samples each way.
  ///
  /// - Parameters:
  ///   - report: the preview.
  ///   - page: the page in about the same frame; `nil` if none was looked for.
  package init(_ report: PreviewReport, _ page: PagePreviewReport? = nil) {
    func share(_ length: Int) -> Double { min(0.5, 1024 / Double(max(length, 1))) }
    var (across, down) = (share(report.frameSize.width), share(report.frameSize.height))
    if report.captureAngle % 180 != 0 { swap(&across, &down) }
    func place(_ share: Double, in length: Int) -> Int {
      min(max(Int((Double(length - 1) * share).rounded()), 0), max(length - 1, 0))
    }
    let columns = [0.5 - across / 2, 0.5 + across / 2].map { place($0, in: report.width) }
    let rows = [0.5 - down / 2, 0.5 + down / 2].map { place($0, in: report.height) }
    corners = [
      Point(column: columns[0], row: rows[0]), Point(column: columns[1], row: rows[0]),
      Point(column: columns[1], row: rows[1]), Point(column: columns[0], row: rows[1]),
    ]
    middle = Point(column: place(0.5, in: report.width), row: place(0.5, in: report.height))
    func turned(_ x: Double, _ y: Double) -> Point {
      let (across, down) =
        switch report.captureAngle {
        case 90: (1 - y, x)
        case 180: (1 - x, 1 - y)
        case 270: (y, 1 - x)
        default: (x, y)
        }
      return Point(column: place(across, in: report.width), row: place(down, in: report.height))
    }
    self.page = (page?.outline ?? []).map { turned($0.x, $0.y) }
    texts = (page?.regions ?? []).map { region in
      let ends = [
        turned(region.x, region.y), turned(region.x + region.width, region.y + region.height),
      ]
      let (columns, rows) = (ends.map(\.column).sorted(), ends.map(\.row).sorted())
      return (
        Point(column: columns[0], row: rows[0]), Point(column: columns[1], row: rows[1])
      )
    }
  }

  /// The four corners of each region of text.
  var textCorners: Set<Point> {
    Set(
      texts.flatMap { upper, lower in
        [
          upper, Point(column: lower.column, row: upper.row), lower,
          Point(column: upper.column, row: lower.row),
        ]
      })
  }

  /// The sides of each region of text.
  var textSides: Set<Point> {
    Set(
      texts.flatMap { upper, lower in
        (upper.column...lower.column).flatMap { column in
          [Point(column: column, row: upper.row), Point(column: column, row: lower.row)]
        }
          + (upper.row...lower.row).flatMap { row in
            [Point(column: upper.column, row: row), Point(column: lower.column, row: row)]
          }
      })
  }

  /// Returns all marked points but the page's: the middle, and lines from each corner inwards.
  func points(length: Int) -> Set<Point> {
    var points: Set<Point> = [middle]
    for (index, corner) in corners.enumerated() {
      let (right, down) = (index == 0 || index == 3 ? 1 : -1, index < 2 ? 1 : -1)
      for step in 0..<max(1, length) {
        points.insert(Point(column: corner.column + right * step, row: corner.row))
        points.insert(Point(column: corner.column, row: corner.row + down * step))
      }
    }
    return points
  }
}
