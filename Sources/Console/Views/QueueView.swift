package import API
import Devices

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
        state: total.isConfigured ? report?.state.rawValue ?? "unknown" : "gone",
        detail: report?.detail,
        nextAttemptSeconds: report?.nextAttemptSeconds, holds: report?.holds ?? [])
    }
  }
}

/// The view of the queue: a row and any reason for each target, and possible commands.
extension QueueReport: Presentable {
  package var blocks: [TextBlock] {
    var heading =
      "\(waiting.counted("picture waits", "pictures wait")), \(Figures.bytes(bytes))"
    if let oldest {
      let age = oldestSeconds.map { "for \(Figures.span(seconds: $0))" }
      heading += "; the oldest one \(age ?? "since an earlier boot"): \(oldest)"
    }
    let table = TextTable(
      ["target", .right("waiting"), .right("parked"), "state", "next attempt"],
      targets.map { target in
        [
          target.target, "\(target.waiting)", "\(target.parked)",
          ([target.state] + target.holds).joined(separator: ", "),
          target.nextAttemptSeconds.map { "in \(Figures.span(seconds: $0))" } ?? "-",
        ]
      })
    let reasons = targets.compactMap { target in
      target.detail.map { TextBlock.paragraph("\(target.target): \($0)") }
    }
    return [TextBlock.paragraph(heading), TextBlock.table(table)] + reasons + [
      TextBlock.paragraph(
        "\"spool list --state waiting\" lists them, \"targets retry\" tries them now, "
          + "\"spool retry\" lets those wait again that were set aside.")
    ]
  }
}

/// The targets of a rig.
package struct TargetList: Presentable {
  private let targets: [TargetReport]

  package init(_ targets: [TargetReport]) { self.targets = targets }

  package var blocks: [TextBlock] {
    guard !targets.isEmpty else {
      return [.line("no targets are configured; pictures stay in the spool")]
    }
    let table = TextTable(
      ["target", "kind", "state", .right("delivered"), .right("failures"), "where"],
      targets.map {
        [$0.name, $0.kind, $0.stateWithCauses, "\($0.delivered)", "\($0.failures)", $0.url]
      })
    let reasons = targets.compactMap { target in
      target.detail.map { TextBlock.paragraph("\(target.name): \($0)") }
    }
    return [TextBlock.table(table)] + reasons
  }
}

/// The facts about a target.
package struct TargetFacts: Presentable {
  private let target: TargetReport
  private let total: SpoolStatisticsReport.TargetTotal?

  package init(_ target: TargetReport, _ total: SpoolStatisticsReport.TargetTotal?) {
    self.target = target
    self.total = total
  }

  package var blocks: [TextBlock] {
    var rows = [
      ("target", target.name), ("kind", target.kind), ("where", target.url),
      ("state", target.stateWithCauses),
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
          + "\(target.failures.counted("attempt")) failed, \(target.parked) parked"
      ))
    for delivery in target.running {
      let sent = delivery.bytesSent.map { "\(Figures.bytes($0)) of " } ?? ""
      let text = delivery.text.map { ", \($0)" } ?? ""
      rows.append(("running", "\(delivery.itemID), \(sent)\(Figures.bytes(delivery.bytes))\(text)"))
    }
    return [.rows(rows)]
  }
}

extension TargetReport {
  fileprivate var stateWithCauses: String {
    ([state.rawValue] + holds + faults.map(\.rawValue)).joined(separator: ", ")
  }
}
