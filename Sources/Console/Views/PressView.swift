public import API

/// Presses as a table for a terminal.
public struct PressView {
  private let width: Int

  /// Makes a view.
  ///
  /// - Parameter width: the terminal's width in columns.
  public init(width: Int = 80) {
    self.width = width
  }

  /// A table with a row for each press; stored and refused ones have different last columns.
  public func lines(_ presses: [PressReport]) -> [String] {
    var table = TextTable(columns: [
      TextTable.Column("number", isRightAligned: true),
      TextTable.Column("by"),
      TextTable.Column("outcome"),
      TextTable.Column("error ms", isRightAligned: true),
      TextTable.Column("frame ms", isRightAligned: true),
      TextTable.Column("stored ms", isRightAligned: true),
      TextTable.Column("EXIF", isRightAligned: true),
      TextTable.Column("picture or reason"),
    ])
    for press in presses { table.add(cells(press)) }
    return table.lines(width: width)
  }

  /// One press in one line, for a running report.
  public func line(_ press: PressReport) -> String {
    var parts = ["press \(press.number) by \(press.source) \(press.outcome.rawValue)"]
    if let reason = press.reason { parts.append(reason) }
    if let error = press.selectionErrorMilliseconds {
      parts.append("error \(Figures.decimal(error, 1, unit: "ms"))")
    }
    if let stored = press.pressToStoredMilliseconds {
      parts.append("stored after \(Figures.decimal(stored, 0, unit: "ms"))")
    }
    if let id = press.nearDuplicateOf { parts.append("looks like \(id)") }
    if let receipt = press.receipt { parts.append("receipt \(receipt.status)") }
    if let path = press.path { parts.append(fileName(path)) }
    return PlainText.escaping(parts.joined(separator: ", "))
  }

  private func cells(_ press: PressReport) -> [String] {
    [
      "\(press.number)", press.source, press.outcome.rawValue,
      Figures.decimal(press.selectionErrorMilliseconds, 1),
      Figures.decimal(press.pressToFrameMilliseconds, 0),
      Figures.decimal(press.pressToStoredMilliseconds, 0),
      press.exifOrientation.map { "\($0)" } ?? "-",
      press.reason ?? press.path.map(fileName) ?? "-",
    ]
  }

  private func fileName(_ path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }
}
