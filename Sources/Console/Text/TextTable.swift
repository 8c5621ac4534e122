/// A table of text for a terminal with a given width.
package struct TextTable {
  /// A column.
  package struct Column: Sendable {
    /// The heading of the column.
    package let title: String
    /// Whether the cells are right-aligned, as for numbers.
    package let isRightAligned: Bool

    package init(_ title: String, isRightAligned: Bool = false) {
      self.title = title
      self.isRightAligned = isRightAligned
    }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  package init(columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row; escapes control characters and leaves missing cells empty.
  package mutating func add(_ cells: [String]) {
    let escaped = cells.prefix(columns.count).map(PlainText.escaping)
    rows.append(escaped + Array(repeating: "", count: columns.count - escaped.count))
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
