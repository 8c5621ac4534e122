package import API

/// Presses as a table for a terminal.
package struct PressView {
  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns.
  package init(width: Int = 80) {
    self.width = width
  }

  /// Returns a table of presses, whose last column is the picture or the reason of a refusal.
  package func lines(_ presses: [PressReport]) -> [String] {
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

  /// Returns all facts about a press.
  package func lines(_ press: PressReport) -> [String] {
    var rows = [
      ("press", "\(press.number)"),
      (
        "by",
        [press.gesture, press.source, press.button.map { "\"\($0)\"" }].compactMap { $0 }
          .joined(separator: " ")
      ),
      ("pressed", "\(press.time ?? "at an unknown time") (\(press.timeTrust ?? "unknown"))"),
      ("boot", press.bootID ?? "unknown"),
      ("readiness", press.readiness ?? "unknown"),
      ("outcome", press.outcome.rawValue + (press.reason.map { ", \($0)" } ?? "")),
    ]
    if let nanoseconds = press.monotonicNanoseconds {
      rows[3].1 += ", \(nanoseconds) ns after it"
    }
    for (name, value) in [
      ("error", press.selectionErrorMilliseconds), ("interval", press.frameIntervalMilliseconds),
      ("frame", press.pressToFrameMilliseconds), ("stored", press.pressToStoredMilliseconds),
    ] where value != nil {
      rows.append((name, Figures.decimal(value, 1, unit: "ms")))
    }
    if let angle = press.captureAngle { rows.append(("angle", "\(angle)°")) }
    for id in press.itemIDs ?? press.itemID.map({ [$0] }) ?? [] { rows.append(("picture", id)) }
    if let state = press.pictureState { rows.append(("state", state)) }
    if let path = press.path { rows.append(("file", path)) }
    if let id = press.nearDuplicateOf { rows.append(("looks like", id)) }
    if let sentence = Self.unsettled(press) { rows.append(("not settled", sentence)) }
    if let receipt = press.receipt { rows.append(("receipt", "\(receipt.status)")) }
    return LabeledRows(rows).lines(width: width)
  }

  /// Returns the number of presses for each outcome.
  package func lines(_ report: PressCountsReport) -> [String] {
    var table = TextTable(columns: [
      TextTable.Column("presses", isRightAligned: true),
      TextTable.Column("kept", isRightAligned: true),
      TextTable.Column("outcome"), TextTable.Column("reason"),
    ])
    for count in report.counts {
      table.add([
        "\(count.presses)", "\(count.kept)", count.outcome.rawValue, count.reason ?? "-",
      ])
    }
    return table.lines(width: width) + [
      "\(report.lostEntries) presses not recorded, \(report.lostEdges) edges lost, "
        + "\(report.limit) presses are kept"
    ]
  }

  /// Returns a table with a row for each gap.
  package func lines(_ list: LostEdgesList) -> [String] {
    var table = TextTable(columns: [
      TextTable.Column("edges", isRightAligned: true), TextTable.Column("button"),
      TextTable.Column("noticed"),
    ])
    for gap in list.lostEdges {
      table.add(["\(gap.edges)", gap.button, gap.time ?? "at an unknown time"])
    }
    return table.lines(width: width)
  }

  /// Returns a press in one line, for a running report.
  package func line(_ press: PressReport) -> String {
    var parts = ["press \(press.number) by \(press.source) \(press.outcome.rawValue)"]
    if let reason = press.reason { parts.append(reason) }
    if let error = press.selectionErrorMilliseconds {
      parts.append("error \(Figures.decimal(error, 1, unit: "ms"))")
    }
    if let stored = press.pressToStoredMilliseconds {
      parts.append("stored after \(Figures.decimal(stored, 0, unit: "ms"))")
    }
    if let id = press.nearDuplicateOf { parts.append("looks like \(id)") }
    if let sentence = Self.unsettled(press) { parts.append("not settled: \(sentence)") }
    if let receipt = press.receipt { parts.append("receipt \(receipt.status)") }
    if let path = press.path { parts.append(fileName(path)) }
    return PlainText.escaping(parts.joined(separator: ", "))
  }

  /// Returns the automatic functions that had not settled; `nil` if all had.
  private static func unsettled(_ press: PressReport) -> String? {
    press.adjusting.map { $0.joined(separator: ", ") }
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
