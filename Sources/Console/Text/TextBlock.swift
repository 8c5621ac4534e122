/// A part of an answer for people, laid out for the width of a terminal.
///
/// Control characters of all texts are escaped.
package enum TextBlock {
  /// A line of any length.
  case line(String)
  /// A line that is cut at the terminal's width.
  case cut(String)
  /// Text that is wrapped between words, with spaces before all lines but the first.
  case paragraph(String, hanging: Int = 0)
  /// Texts beside a label, each wrapped between an indent and the terminal's width.
  case labeled(String, [String], indent: Int)
  /// Rows of a label and a text, which is wrapped beside the widest label.
  case rows([(String, String)])
  /// A table.
  case table(TextTable)
  /// Blocks that lose lines, the longest block first, until a number of lines is left.
  ///
  /// `…` marks a cut.
  case fitting([TextBlock], lines: Int)

  /// Returns the block's lines for a terminal with a given width.
  func lines(width: Int) -> [String] {
    switch self {
    case .line(let text): return [PlainText.escaping(text)]
    case .cut(let text): return [PlainText.truncating(PlainText.escaping(text), to: width)]
    case .paragraph(let text, let hanging):
      let indent = String(repeating: " ", count: hanging)
      return PlainText.folding(PlainText.escaping(text), to: width - hanging).enumerated().map {
        ($0 == 0 ? "" : indent) + $1
      }
    case .labeled(let label, let texts, let indent):
      return Self.beside(PlainText.escaping(label), texts, indent, width)
    case .rows(let rows):
      let label = min(24, rows.map { PlainText.columns($0.0) }.max() ?? 0)
      return rows.flatMap { name, text in
        let name = PlainText.truncating(PlainText.escaping(name), to: label)
        return Self.beside(name, [text], label + 2, width)
      }
    case .table(let table): return table.lines(width: width)
    case .fitting(let blocks, let limit):
      return Self.shortened(blocks.map { $0.lines(width: width) }, limit, width)
    }
  }

  private static func beside(
    _ label: String, _ texts: [String], _ indent: Int, _ width: Int
  ) -> [String] {
    let room = max(20, width - indent)
    return texts.flatMap { PlainText.wrapping(PlainText.escaping($0), to: room) }.enumerated().map {
      let head = $0 == 0 ? label : ""
      return head + String(repeating: " ", count: max(1, indent - PlainText.columns(head))) + $1
    }
  }

  /// Takes lines from the longest parts until all fit.
  private static func shortened(_ parts: [[String]], _ limit: Int, _ width: Int) -> [String] {
    var counts = parts.map(\.count)
    while counts.reduce(0, +) > limit, let most = counts.max(), most > 1,
      let index = counts.lastIndex(of: most)
    {
      counts[index] -= 1
    }
    return zip(parts, counts).flatMap { part, count -> [String] in
      guard count < part.count, let last = part.prefix(count).last else { return part }
      return part.prefix(count - 1) + [PlainText.truncating(last, to: width - 2) + " …"]
    }
  }
}

/// An answer that people read as lines on a terminal.
package protocol Presentable {
  /// The content of the answer, from top to bottom.
  var blocks: [TextBlock] { get }
}

extension Presentable {
  /// Returns the answer's lines for a terminal.
  ///
  /// - Parameter width: the terminal's width in columns; fewer than 40 count as 40.
  package func rendered(width: Int = 80) -> [String] {
    blocks.flatMap { $0.lines(width: max(40, width)) }
  }
}
