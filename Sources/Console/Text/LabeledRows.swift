/// Rows of a label and a text for a terminal, the texts wrapped beside their labels.
struct LabeledRows {
  private let rows: [(String, String)]

  init(_ rows: [(String, String)]) { self.rows = rows }

  /// Returns the lines, at most `width` columns wide, with control characters escaped.
  func lines(width: Int) -> [String] {
    let label = min(24, rows.map { PlainText.columns($0.0) }.max() ?? 0)
    return rows.flatMap { name, text in
      PlainText.wrapping(PlainText.escaping(text), to: max(20, width - label - 2)).enumerated()
        .map { index, part in
          let shown = index == 0 ? PlainText.truncating(PlainText.escaping(name), to: label) : ""
          let pad = String(repeating: " ", count: label + 2 - PlainText.columns(shown))
          return shown + pad + part
        }
    }
  }
}
