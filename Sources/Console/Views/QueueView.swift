public import API

/// The pictures that wait for delivery: what `platenctl queue --json` prints.
public struct QueueReport: Sendable, Hashable, Codable {
  /// The deliveries to one target.
  public struct Target: Sendable, Hashable, Codable {
    /// The target's name.
    public var target: String
    /// How many pictures wait for it.
    public var waiting: Int
    /// How many were set aside until a person asks for them.
    public var parked: Int
    /// What its uploader does, for example `waitingToRetry`; `gone` for a target that the
    /// configuration does not have any more.
    public var state: String
    /// Why it waits.
    public var detail: String?
    /// The time to the next attempt, in seconds.
    public var nextAttemptSeconds: Double?
    /// Why no delivery begins.
    public var holds: [String]
  }

  /// How many pictures wait.
  public var waiting: Int
  /// Their bytes.
  public var bytes: Int64
  /// The oldest of them, or of those that were set aside.
  public var oldest: String?
  /// How long it has waited, in seconds; `nil` when it is of an earlier boot.
  public var oldestSeconds: Double?
  /// The targets.
  public var targets: [Target]

  /// Gathers what is known of the queue.
  public init(_ status: RigStatus, _ statistics: SpoolStatisticsReport) {
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

/// Queue and targets as lines for a terminal.
public struct QueueView {
  private let width: Int

  /// Makes a view.
  ///
  /// - Parameter width: the terminal's width in columns, 40 or more.
  public init(width: Int = 80) {
    self.width = max(40, width)
  }

  /// What waits, then a row and perhaps a reason for each target, then what can be done.
  public func lines(_ queue: QueueReport) -> [String] {
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

  /// A table with a row for each target.
  public func lines(_ targets: [TargetReport]) -> [String] {
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

  /// Everything that is known of one target.
  public func lines(
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
    return SpoolView(width: width).labelled(rows)
  }

  private func wrapped(_ texts: [String]) -> [String] {
    texts.flatMap { PlainText.wrapping(PlainText.escaping($0), to: width) }
  }
}
