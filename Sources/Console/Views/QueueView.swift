package import API

/// The pictures that wait for delivery: the output of `platenctl queue --json`.
package struct QueueReport: Sendable, Hashable, Codable {
  /// The deliveries to a target.
  package struct Target: Sendable, Hashable, Codable {
    /// The target's name.
    package var target: String
    /// The number of pictures that wait for the target.
    package var waiting: Int
    /// The number of parked pictures, which wait for a person's request.
    package var parked: Int
    /// The uploader's state, for example `waitingToRetry`.
    ///
    /// The state is `gone` for a target that is no longer configured.
    package var state: String
    /// The reason of the state.
    package var detail: String?
    /// The time to the next attempt, in seconds.
    package var nextAttemptSeconds: Double?
    /// The reasons why no delivery begins.
    package var holds: [String]
  }

  /// The number of waiting pictures.
  package var waiting: Int
  /// The bytes of the waiting pictures.
  package var bytes: Int64
  /// The ID of the oldest waiting or parked picture.
  package var oldest: String?
  /// The time that the oldest picture has waited, in seconds; `nil` for an earlier boot.
  package var oldestSeconds: Double?
  /// The targets.
  package var targets: [Target]

  /// Gathers the facts about the queue.
  package init(_ status: RigStatus, _ statistics: SpoolStatisticsReport) {
    waiting = status.spool.waiting
    bytes = status.spool.bytesWaiting
    oldest = statistics.oldestWaiting
    oldestSeconds = statistics.oldestWaitingSeconds
    targets = statistics.targets.map { total in
      let report = status.targets.first { $0.name == total.target }
      return Target(
        target: total.target, waiting: total.pending, parked: total.parked,
        state: total.isConfigured ? report?.state ?? "unknown" : "gone", detail: report?.detail,
        nextAttemptSeconds: report?.nextAttemptSeconds, holds: report?.holds ?? [])
    }
  }
}

/// The queue and the targets as lines for a terminal.
package struct QueueView {
  private let width: Int

  /// Creates a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  package init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// Returns the waiting pictures, a row and any reason for each target, and possible commands.
  package func lines(_ queue: QueueReport) -> [String] {
    var heading = "\(queue.waiting) pictures wait, \(Figures.bytes(queue.bytes))"
    if let oldest = queue.oldest {
      let age = queue.oldestSeconds.map { "for \(Figures.span(seconds: $0))" }
      heading += "; the oldest one \(age ?? "since an earlier boot"): \(oldest)"
    }
    var table = TextTable(columns: [
      TextTable.Column("target"), TextTable.Column("waiting", isRightAligned: true),
      TextTable.Column("parked", isRightAligned: true), TextTable.Column("state"),
      TextTable.Column("next attempt"),
    ])
    for target in queue.targets {
      table.add([
        target.target, "\(target.waiting)", "\(target.parked)",
        ([target.state] + target.holds).joined(separator: ", "),
        target.nextAttemptSeconds.map { "in \(Figures.span(seconds: $0))" } ?? "-",
      ])
    }
    let reasons = queue.targets.compactMap { target in
      target.detail.map { "\(target.target): \($0)" }
    }
    return wrapped([heading]) + table.lines(width: width) + wrapped(reasons)
      + wrapped([
        "\"spool list --state waiting\" lists them, \"targets retry\" tries them now, "
          + "\"spool retry\" lets those wait again that were set aside."
      ])
  }

  /// Returns a table with a row for each target.
  package func lines(_ targets: [TargetReport]) -> [String] {
    guard !targets.isEmpty else { return ["no targets are configured; pictures stay in the spool"] }
    var table = TextTable(columns: [
      TextTable.Column("target"), TextTable.Column("kind"), TextTable.Column("state"),
      TextTable.Column("delivered", isRightAligned: true),
      TextTable.Column("failures", isRightAligned: true), TextTable.Column("where"),
    ])
    for target in targets {
      table.add([
        target.name, target.kind, ([target.state] + target.holds).joined(separator: ", "),
        "\(target.delivered)", "\(target.failures)", target.url,
      ])
    }
    return table.lines(width: width)
      + wrapped(targets.compactMap { target in target.detail.map { "\(target.name): \($0)" } })
  }

  /// Returns all facts about a target.
  package func lines(
    _ target: TargetReport, _ total: SpoolStatisticsReport.TargetTotal?
  ) -> [String] {
    var rows = [
      ("target", target.name), ("kind", target.kind), ("where", target.url),
      ("state", ([target.state] + target.holds).joined(separator: ", ")),
    ]
    if let detail = target.detail { rows.append(("why", detail)) }
    if let seconds = target.nextAttemptSeconds {
      rows.append(("next", "attempt in \(Figures.span(seconds: seconds))"))
    }
    if let total { rows.append(("queue", "\(total.pending) waiting, \(total.parked) parked")) }
    rows.append(
      (
        "since start",
        "\(target.delivered) delivered, \(target.duplicates) of them there already, "
          + "\(target.failures) attempts failed, \(target.parked) parked"
      ))
    for delivery in target.running {
      let sent = delivery.bytesSent.map { "\(Figures.bytes($0)) of " } ?? ""
      let text = delivery.text.map { ", \($0)" } ?? ""
      rows.append(("running", "\(delivery.itemID), \(sent)\(Figures.bytes(delivery.bytes))\(text)"))
    }
    return LabeledRows(rows).lines(width: width)
  }

  private func wrapped(_ texts: [String]) -> [String] {
    texts.flatMap { PlainText.wrapping(PlainText.escaping($0), to: width) }
  }
}
