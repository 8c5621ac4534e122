package import API
import Devices

/// The view of presses, whose last column is the picture or the reason of a refusal.
extension PressList: Presentable {
  package var blocks: [TextBlock] {
    let columns: [TextTable.Column] = [
      .right("number"), "by", "outcome", .right("error ms"), .right("frame ms"),
      .right("stored ms"), .right("EXIF"), "picture or reason",
    ]
    return [.table(TextTable(columns, presses.map(\.cells)))]
  }
}

/// The view of all facts about a press.
extension PressReport: Presentable {
  package var blocks: [TextBlock] {
    let by = [gesture?.rawValue, source.rawValue, button.map { "\"\($0)\"" }].compactMap { $0 }
    let instant = monotonicNanoseconds.map { ", \($0) ns after it" } ?? ""
    var rows = [
      ("press", "\(number)"), ("by", by.joined(separator: " ")),
      ("pressed", "\(time ?? "at an unknown time") (\(timeTrust?.rawValue ?? "unknown"))"),
      ("boot", (bootID ?? "unknown") + instant), ("readiness", readiness?.rawValue ?? "unknown"),
      ("outcome", outcome.rawValue + (reason.map { ", \($0)" } ?? "")),
    ]
    if let bracket { rows.append(("bracket", bracket)) }
    for (name, value) in [
      ("error", selectionErrorMilliseconds), ("interval", frameIntervalMilliseconds),
      ("frame", pressToFrameMilliseconds), ("stored", pressToStoredMilliseconds),
    ] where value != nil {
      rows.append((name, Figures.decimal(value, 1, unit: "ms")))
    }
    if let flashText { rows.append(("flash", flashText)) }
    if let framesText { rows.append(("frames", framesText)) }
    if isDamaged == true { rows.append(("damaged", "parts were lost on the way from the camera")) }
    if let angle = captureAngle {
      rows.append(("angle", "\(angle)°" + (orientationSource.map { " (\($0))" } ?? "")))
    }
    if let skew = page?.skew { rows.append(("skew", "\(Figures.decimal(skew, 1))°")) }
    if let height = page?.letterHeight {
      rows.append(("letters", Figures.decimal(height, 0, unit: "pixels")))
    }
    for warning in page?.warnings ?? [] { rows.append(("warning", warning.sentences)) }
    for id in itemIDs ?? itemID.map({ [$0] }) ?? [] { rows.append(("picture", id)) }
    if let state = pictureState { rows.append(("state", state.rawValue)) }
    if let path { rows.append(("file", path)) }
    if let id = nearDuplicateOf { rows.append(("looks like", id)) }
    if let unsettled { rows.append(("not settled", unsettled)) }
    if let receipt { rows.append(("receipt", "\(receipt.status)")) }
    return [.rows(rows)]
  }

  /// The press in one line, for a running report.
  package var line: String {
    var parts = ["press \(number) by \(source) \(outcome.rawValue)"]
    if let reason { parts.append(reason) }
    if let bracket { parts.append("bracket \(bracket)") }
    parts += (page?.warnings ?? []).map(\.meaning)
    if let error = selectionErrorMilliseconds {
      parts.append("error \(Figures.decimal(error, 1, unit: "ms"))")
    }
    if let stored = pressToStoredMilliseconds {
      parts.append("stored after \(Figures.decimal(stored, 0, unit: "ms"))")
    }
    if let itemIDs { parts.append(itemIDs.count.counted("picture")) }
    if let flashText { parts.append("flash \(flashText)") }
    if let framesText { parts.append(framesText) }
    if isDamaged == true { parts.append("damaged") }
    if let id = nearDuplicateOf { parts.append("looks like \(id)") }
    if let unsettled { parts.append("not settled: \(unsettled)") }
    if let receipt { parts.append("receipt \(receipt.status)") }
    if let fileName { parts.append(fileName) }
    return PlainText.escaping(parts.joined(separator: ", "))
  }

  /// The warnings with their advice and the command for a retake, a line each; empty without one.
  package var advice: [String] {
    guard let warnings = page?.warnings, !warnings.isEmpty else { return [] }
    return warnings.map { PlainText.escaping($0.sentences) }
      + ["To take it again: platenctl shoot --retake"]
  }

  /// The automatic functions that had not settled; `nil` if all had.
  private var unsettled: String? { adjusting.map { $0.map(\.rawValue).joined(separator: ", ") } }

  /// The wanted flash and its result, for example `auto fired`; `nil` without a lamp.
  private var flashText: String? {
    flash.map { isFlashFired == true ? "\($0) fired" : "\($0) did not fire" }
  }

  /// The number of merged or averaged frames, or the reason for none; `nil` where none are wanted.
  private var framesText: String? {
    if let mergedFrames { return "merged of \(mergedFrames.counted("frame"))" }
    if let unmerged { return "not merged (\(unmerged))" }
    return averagedFrames.map { "average of \(Figures.decimal($0, 1)) frames" }
      ?? singleFrame.map { "single frame (\($0))" }
  }

  private var fileName: String? { path.map { String($0.split(separator: "/").last ?? "") } }

  fileprivate var cells: [String] {
    [
      "\(number)", source.rawValue, outcome.rawValue,
      Figures.decimal(selectionErrorMilliseconds, 1),
      Figures.decimal(pressToFrameMilliseconds, 0), Figures.decimal(pressToStoredMilliseconds, 0),
      exifOrientation.map { "\($0)" } ?? "-",
      ((page?.warnings ?? []).map(\.code.rawValue) + [reason ?? fileName ?? "-"]).joined(
        separator: ", "),
    ]
  }
}

extension PageReport.Warning {
  /// The meaning and the advice, each a sentence.
  var sentences: String { "\(meaning.prefix(1).uppercased())\(meaning.dropFirst()). \(advice)" }
}

/// The view of the number of presses for each outcome.
extension PressCountsReport: Presentable {
  package var blocks: [TextBlock] {
    let rows = counts.map {
      ["\($0.presses)", "\($0.kept)", $0.outcome.rawValue, $0.reason ?? "-"]
    }
    return [
      .table(TextTable([.right("presses"), .right("kept"), "outcome", "reason"], rows)),
      .line(
        "\(lostEntries.counted("press", "presses")) not recorded, "
          + "\(lostEdges.counted("edge")) lost, "
          + limit.counted("press is kept", "presses are kept")),
    ]
  }
}

/// The view of gaps, a row for each.
extension LostEdgesList: Presentable {
  package var blocks: [TextBlock] {
    let rows = lostEdges.map { ["\($0.edges)", $0.button, $0.time ?? "at an unknown time"] }
    return [.table(TextTable([.right("edges"), "button", "noticed"], rows))]
  }
}
