/// A table of text for a terminal with a given width.
package struct TextTable {
  /// A column, written as its heading alone unless its cells are right-aligned.
  package struct Column: Sendable, ExpressibleByStringLiteral {
    let title: String
    let isRightAligned: Bool

    package init(stringLiteral title: String) { self = Column(title, isRightAligned: false) }

    private init(_ title: String, isRightAligned: Bool) {
      self.title = title
      self.isRightAligned = isRightAligned
    }

    /// Returns a column with right-aligned cells, as for numbers.
    package static func right(_ title: String) -> Column { Column(title, isRightAligned: true) }
  }

  private let columns: [Column]
  private let rows: [[String]]

  /// Creates a table; escapes control characters and leaves missing cells empty.
  package init(_ columns: [Column], _ rows: [[String]]) {
    self.columns = columns
    self.rows = rows.map { cells in
      let escaped = cells.prefix(columns.count).map(PlainText.escaping)
      return escaped + Array(repeating: "", count: columns.count - escaped.count)
    }
  }

  /// Returns the table's lines, at most `width` columns wide; the widest columns are cut.
  package func lines(width: Int = 80) -> [String] {
    guard !columns.isEmpty else { return [] }
    let all = [columns.map(\.title)] + rows
    var widths = columns.indices.map { index in
      all.map { PlainText.columns($0[index]) }.max() ?? 0
    }
    // The widest column shrinks until everything fits, so that a long column does not hide a short
    // one.
    let gaps = 2 * (columns.count - 1)
    while widths.reduce(gaps, +) > width, let widest = widths.max(), widest > 1,
      let index = widths.lastIndex(of: widest)
    {
      widths[index] -= 1
    }
    return all.map { line($0, widths) }
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    let padded = cells.indices.map { index in
      let cell = PlainText.truncating(cells[index], to: widths[index])
      let space = String(repeating: " ", count: max(0, widths[index] - PlainText.columns(cell)))
      return columns[index].isRightAligned ? space + cell : cell + space
    }
    var line = padded.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }
}
