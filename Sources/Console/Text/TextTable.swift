/// A table of text for a terminal of a certain width.
public struct TextTable {
  /// A column.
  public struct Column: Sendable {
    /// What stands above it.
    public let title: String
    /// Whether its cells stand at the right, as numbers should.
    public let isRightAligned: Bool

    /// Makes a column.
    public init(_ title: String, isRightAligned: Bool = false) {
      self.title = title
      self.isRightAligned = isRightAligned
    }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  /// Makes a table without rows.
  public init(columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row; control characters in it are escaped, missing cells are empty.
  public mutating func add(_ cells: [String]) {
    let escaped = cells.prefix(columns.count).map(PlainText.escaping)
    rows.append(escaped + Array(repeating: "", count: columns.count - escaped.count))
  }

  /// The table's lines, none wider than `width` columns; the last column is cut to what is left.
  public func lines(width: Int = 80) -> [String] {
    guard !columns.isEmpty else { return [] }
    let all = [columns.map(\.title)] + rows
    var widths = columns.indices.map { index in
      all.map { PlainText.columns($0[index]) }.max() ?? 0
    }
    // The widest gives way until everything fits, so that no short column is lost to a long one.
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
