import Foundation
import GRDB

/// The file of an item that waits, as its row describes it.
struct WaitingFile {
  let id: ItemID
  let fileExtension: String
  let bytes: Int64

  /// Reads a row; `nil` when ``ItemRow`` cannot be read from it.
  init?(_ row: Row) {
    guard let text = try? row.decode(String.self, forColumn: "id"), let id = ItemID(text),
      let fileExtension = try? row.decode(String.self, forColumn: "file_extension"),
      let bytes = try? row.decode(Int64.self, forColumn: "bytes"),
      (try? row.decode(Data.self, forColumn: "sha256")) != nil,
      (try? row.decode(String.self, forColumn: "remote_name")) != nil
    else { return nil }
    (self.id, self.fileExtension, self.bytes) = (id, fileExtension, bytes)
  }
}

extension ItemIndex {
  /// Returns the row of an item.
  func row(_ id: ItemID) throws(SpoolError) -> ItemRow? {
    try read { try Self.row(id, $0)?.row }
  }

  /// Returns the number of an item in the order of all items.
  func sequence(of id: ItemID) throws(SpoolError) -> Int64? {
    try read { try Self.row(id, $0)?.sequence }
  }

  /// Returns the files of waiting and parked items after a place in the order.
  ///
  /// A row that cannot be read has no file.
  ///
  /// - Complexity: O(limit), however many items there are.
  func waitingFiles(
    after sequence: Int64, limit: Int
  ) throws(SpoolError) -> [(sequence: Int64, file: WaitingFile?)] {
    try read { database in
      var found: [(sequence: Int64, file: WaitingFile?)] = []
      for state in ItemRow.State.allCases where state.isWaiting {
        let rows = try Row.fetchCursor(
          database.cachedStatement(sql: Self.waitingSQL),
          arguments: [state.rawValue, sequence, limit])
        found += try Array(
          rows.map { (try $0.decode(forColumn: "sequence"), WaitingFile($0)) })
      }
      return Array(found.sorted { $0.sequence < $1.sequence }.prefix(limit))
    }
  }

  /// Checks that the index of states contains a row that waits.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged` when the row is missing there.
  func requireListed(_ row: ItemRow) throws(SpoolError) {
    let isListed = try read { database in
      try Bool.fetchOne(
        database.cachedStatement(sql: Self.listedSQL),
        arguments: [row.state.rawValue, row.id.description]) ?? false
    }
    guard isListed else {
      throw SpoolError(
        .indexDamaged, path, "contradicts itself",
        cause: "\(row.id) waits and is not among those that wait")
    }
  }

  static let listedSQL = """
    SELECT EXISTS (SELECT 1 FROM item INDEXED BY item_state
      WHERE state = ? AND sequence = (SELECT sequence FROM item WHERE id = ?))
    """

  /// Takes unreadable rows out of the queue; their pictures are adopted as new ones.
  ///
  /// The rows then have no file, so that they do not count as pictures for the limits.
  func setAside(unreadable sequences: [Int64]) throws(SpoolError) {
    try commit(.setAside(sequences.count)) { database in
      for sequence in sequences {
        try Self.quarantine(sequence, .missing, database)
        try audit(.quarantined, detail: "row \(sequence) cannot be read", database)
      }
    }
  }

  /// Returns the largest sequence and press numbers given out.
  ///
  /// - Throws: ``SpoolError``: `failed`, `indexDamaged`, also for impossible numbers.
  func lastNumbers() throws(SpoolError) -> (sequence: Int64, press: Int64) {
    let numbers = try read { database in
      (
        sequence: max(
          try ItemRow.number("last_sequence", database),
          try Int64.fetchOne(database, sql: "SELECT MAX(sequence) FROM item") ?? 0),
        press: max(
          try ItemRow.number("last_press", database),
          try Int64.fetchOne(
            database,
            sql: "SELECT MAX(press_number) FROM item WHERE press_number IS NOT NULL") ?? 0)
      )
    }
    guard [numbers.sequence, numbers.press, boot].allSatisfy(ItemID.isPossible) else {
      throw SpoolError(
        .indexDamaged, path, "contradicts itself",
        cause: "its numbers are never reached: \(numbers)")
    }
    return numbers
  }

  /// Takes an item out of the queue; its files are moved afterwards.
  func quarantine(_ id: ItemID, _ reason: QuarantineReason) throws(SpoolError) {
    try commit(.quarantine(id)) { database in
      guard let (sequence, _) = try Self.row(id, database) else { throw Self.unknown(id) }
      try Self.quarantine(sequence, reason, database)
      try audit(.quarantined, item: id, detail: reason.rawValue, database)
    }
  }

  /// Puts a quarantined item back in the queue; its files are in their place already.
  func restore(_ id: ItemID) throws(SpoolError) {
    try commit(.restore(id)) { database in
      guard let (sequence, row) = try Self.row(id, database) else { throw Self.unknown(id) }
      guard row.state == .quarantined else {
        throw SpoolError(
          .notWaiting, id.description, "is not quarantined", cause: row.state.rawValue)
      }
      let detail = "quarantined as \(row.reason ?? "damaged"), intact now"
      try requeue(sequence, row, detail: detail, database)
      try database.cachedStatement(
        sql: "UPDATE item SET state = 'stored', reason = NULL WHERE sequence = ?"
      ).execute(arguments: [sequence])
    }
  }

  /// Lets the quarantined deliveries of an item wait again.
  ///
  /// - Throws: ``SpoolError``: `notWaiting` when the item has none.
  func requeue(_ sequence: Int64, _ row: ItemRow, detail: String, _ database: Database) throws {
    try database.cachedStatement(
      sql: """
        UPDATE delivery SET state = 'pending', item_failures = 0
        WHERE item = ? AND state = 'quarantined'
        """
    ).execute(arguments: [sequence])
    guard database.changesCount > 0 else {
      throw SpoolError(
        .notWaiting, row.id.description, "has no quarantined delivery", cause: row.state.rawValue)
    }
    try audit(.retried, item: row.id, detail: detail, database)
  }

  private static func quarantine(
    _ sequence: Int64, _ reason: QuarantineReason, _ database: Database
  ) throws {
    try database.cachedStatement(
      sql: "UPDATE item SET state = 'quarantined', reason = ? WHERE sequence = ?"
    ).execute(arguments: [reason.rawValue, sequence])
    try database.cachedStatement(
      sql: """
        UPDATE delivery SET state = 'quarantined' WHERE item = ? AND state IN ('pending', 'parked')
        """
    ).execute(arguments: [sequence])
  }

  /// Returns the oldest items in `states` after a place in the order; unreadable rows are skipped.
  ///
  /// - Complexity: O(limit and the skipped rows), however many items there are.
  func waiting(
    after sequence: Int64, limit: Int, states: [ItemRow.State] = [.stored, .parked]
  ) throws(SpoolError) -> [(sequence: Int64, row: ItemRow)] {
    try read { database in
      var found: [(sequence: Int64, row: ItemRow)] = []
      for state in states {
        var last = sequence
        var count = 0
        var isAtEnd = false
        while !isAtEnd, count < limit {
          let rows = try Row.fetchCursor(
            database.cachedStatement(sql: Self.waitingSQL),
            arguments: [state.rawValue, last, limit])
          var read = 0
          while let row = try rows.next() {
            read += 1
            last = try row.decode(Int64.self, forColumn: "sequence")
            guard let item = ItemRow(row) else { continue }
            found.append((last, item))
            count += 1
          }
          isAtEnd = read < limit
        }
      }
      return Array(found.sorted { $0.sequence < $1.sequence }.prefix(limit))
    }
  }

  /// Returns quarantined rows after a place in the order; `nil` for a row that cannot be read.
  ///
  /// - Complexity: O(limit), however many items there are.
  func quarantined(
    after sequence: Int64, limit: Int
  ) throws(SpoolError) -> [(sequence: Int64, row: ItemRow?)] {
    try read { database in
      let rows = try Row.fetchCursor(
        database.cachedStatement(sql: Self.waitingSQL),
        arguments: [ItemRow.State.quarantined.rawValue, sequence, limit])
      return try Array(rows.map { (try $0.decode(forColumn: "sequence"), ItemRow($0)) })
    }
  }

  static let waitingSQL = """
    SELECT * FROM item WHERE state = ? AND sequence > ? ORDER BY sequence LIMIT ?
    """

  static func row(
    _ id: ItemID, _ database: Database
  ) throws -> (sequence: Int64, row: ItemRow)? {
    guard
      let found = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM item WHERE id = ?"),
        arguments: [id.description]),
      let row = ItemRow(found)
    else { return nil }
    return (try found.decode(forColumn: "sequence"), row)
  }

  static func unknown(_ id: ItemID) -> SpoolError {
    SpoolError(.unknownItem, id.description, "is no item of this spool")
  }
}
