import Devices
import Foundation
import GRDB

/// The rows of pictures whose final version follows.
extension ItemIndex {
  /// The end of a proxy.
  enum ProxyEnd {
    /// The final picture takes the proxy's place; the reason is that of a proxy in quarantine.
    case replaced(QuarantineReason?)
    /// The proxy is the final picture, and the receipts of targets count for it.
    case kept(SingleFrameReason, [String: Receipt])
  }

  /// Writes the row of a proxy anew, and notes the proxy's end.
  ///
  /// - Returns: the item's number if every target has the item now.
  @discardableResult
  func rewrite(_ row: ItemRow, end: ProxyEnd? = nil) throws(SpoolError) -> Int64? {
    try commit(.proxy(row.id)) { database in
      guard let sequence = try Self.row(row.id, database)?.sequence else {
        throw Self.unknown(row.id)
      }
      // The counters follow the state alone, so the length changes between two changes of it.
      try database.cachedStatement(
        sql: "UPDATE item SET state = 'quarantined' WHERE sequence = ?"
      ).execute(arguments: [sequence])
      try database.cachedStatement(
        sql: """
          UPDATE item
          SET state = ?, reason = ?, bytes = ?, sha256 = ?, remote_name = ?, metadata = ?
          WHERE sequence = ?
          """
      ).execute(arguments: [
        row.state.rawValue, row.reason, row.bytes, Data(row.sha256), row.remoteName,
        try SpoolJSON.text(row.metadata), sequence,
      ])
      switch end {
      case .replaced(let reason):
        try database.cachedStatement(
          sql: "UPDATE delivery SET resume_state = NULL WHERE item = ? AND state <> 'done'"
        ).execute(arguments: [sequence])
        if let reason {
          let detail = "quarantined as \(reason.rawValue), made anew of its frames"
          try requeue(sequence, row, detail: detail, database)
        }
      case .kept(let reason, let receipts):
        try audit(.proxyKept, item: row.id, detail: reason.rawValue, database)
        let kept = try ItemRow.number(Self.keptKey, database)
        try ItemRow.setNumber(Self.keptKey, kept + 1, database)
        for (target, receipt) in receipts {
          try Self.finish(sequence, TargetID(rawValue: target), receipt, database)
        }
        if try Self.settle(sequence, database) == .delivered { return sequence }
      case nil: break
      }
      return nil
    }
  }

  private static let keptKey = "kept_proxies"

  /// Returns the number of kept proxies since the index was made.
  func keptProxies() throws(SpoolError) -> Int {
    Int(try read { try ItemRow.number(Self.keptKey, $0) })
  }
}
