package import API
import Devices

/// The view of pictures, a row for each.
extension SpoolItemList: Presentable {
  package var blocks: [TextBlock] {
    let rows = items.map { item -> [String] in
      let deliveries = item.deliveries.map { delivery in
        delivery.state.value == .pending && delivery.attempts > 0
          ? "\(delivery.target) failed \(delivery.attempts)×"
          : "\(delivery.target) \(delivery.state)"
      }
      return [
        item.press.map { "\($0)" } ?? "-", item.state.rawValue, Figures.bytes(item.bytes),
        deliveries.joined(separator: ", "), item.id,
      ]
    }
    return [
      .table(TextTable([.right("press"), "state", .right("size"), "deliveries", "picture"], rows))
    ]
  }
}

/// The view of all facts about a picture.
extension SpoolItemReport: Presentable {
  package var blocks: [TextBlock] {
    var rows = [
      ("picture", id), ("press", press.map { "\($0)" } ?? "unknown"),
      (
        "state",
        state.rawValue + (reason.map { ", \($0)" } ?? "") + (isProxy == true ? ", a proxy" : "")
      ),
      ("file", "\(path), \(bytes.counted("byte"))"), ("SHA-256", sha256),
      ("taken", "\(captured.time ?? "at an unknown time") (\(captured.trust))"),
      ("name", remoteName),
    ]
    if let original = duplicateOf { rows.append(("same as", original)) }
    if let similar = nearDuplicateOf { rows.append(("looks like", similar)) }
    for delivery in deliveries {
      rows.append(
        (
          "to",
          "\(delivery.target): \(delivery.state), \(delivery.attempts.counted("attempt")) failed"
        ))
      if let detail = delivery.detail { rows.append(("", detail)) }
      if let receipt = delivery.receipt {
        let duplicate = receipt.duplicate ? ", had it already" : ""
        rows.append(("", "receipt \(receipt.status) \(receipt.url ?? "")\(duplicate)"))
        if let result = receipt.result { rows.append(("", "result \(result)")) }
      }
    }
    return [.rows(rows)]
  }
}

/// The view of the spool's statistics.
extension SpoolStatisticsReport: Presentable {
  package var blocks: [TextBlock] {
    var rows = [("spool", directory)]
    for state in states {
      rows.append((state.state.rawValue, "\(state.items), \(Figures.bytes(state.bytes))"))
    }
    for target in targets {
      let gone = target.isConfigured ? "" : ", not in the configuration any more"
      rows.append(
        ("to \(target.target)", "\(target.pending) waiting, \(target.parked) parked\(gone)"))
    }
    if let oldest = oldestWaiting {
      let age = oldestWaitingSeconds.map { " for \(Figures.span(seconds: $0))" }
      rows.append(("waits", "\(oldest)\(age ?? " since an earlier boot")"))
    }
    rows.append(
      (
        "free",
        "\(Figures.bytes(freeBytes)), \(Figures.bytes(minimumFreeBytes)) "
          + "of it stay free, ballast \(hasBallast ? "in place" : "used")"
      ))
    for event in audit {
      rows.append(
        (
          "event",
          [event.time ?? "at an unknown time", event.event, event.object, event.detail ?? ""]
            .joined(separator: " ")
        ))
    }
    return [.rows(rows)]
  }
}

/// The view of the findings of a verification.
extension SpoolVerificationReport: Presentable {
  package var blocks: [TextBlock] {
    let summary =
      "\(rows.counted("row")) and \(files.counted("file")) compared, "
      + "\(Figures.bytes(hashedBytes)) hashed, \((findings.count + unlisted).counted("finding"))"
    let blocks = findings.map { finding in
      TextBlock.paragraph(
        "\(finding.object) \(finding.problem); "
          + "\(finding.isRepaired ? "repaired" : "a repair would"): \(finding.repair)")
    }
    return blocks + [TextBlock.line(summary)]
  }
}

/// The view of the outcome for a picture that was copied without the service.
extension SpoolCopyReport: Presentable {
  package var blocks: [TextBlock] {
    let size = Figures.bytes(bytes)
    let words =
      switch outcome {
      case .copied: "copied, \(size)"
      case .unchecked: "copied, \(size), not compared: it has no sidecar"
      case .doubtful: "copied, \(size), not compared: its sidecar cannot be used"
      case .present: "was there already"
      case .failed: "could not be copied"
      }
    return [.line("\(picture) \(words)")]
  }
}

/// The view of the numbers of pictures that were copied without the service.
extension SpoolCopySummary: Presentable {
  package var blocks: [TextBlock] {
    let sum =
      "\(copied.counted("picture")) copied, "
      + "\(present.counted("was there", "were there")) already"
      + (failed > 0 ? ", \(failed) could not be copied" : "")
    var blocks = [TextBlock.line(sum)]
    if unchecked > 0 {
      blocks.append(
        .paragraph(
          unchecked.counted(
            "of them has no sidecar, so that nothing says what it should be.",
            "of them have no sidecar, so that nothing says what they should be.")))
    }
    if doubtful > 0 {
      blocks.append(
        .paragraph(
          doubtful.counted("of them has", "of them have")
            + " a sidecar that cannot be used, as was said above."))
    }
    return blocks + [
      .paragraph("Without the index nobody knows which of them were delivered already.")
    ]
  }
}
