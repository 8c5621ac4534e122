import Devices
import Digests
import Foundation
import GRDB

/// The row of one item, without its deliveries.
struct ItemRow: Hashable {
  enum State: String, CaseIterable {
    case stored, parked, delivered, purged, quarantined, evicted

    /// Whether the item is in the queue, and its files with it.
    var isWaiting: Bool { self == .stored || self == .parked }
  }

  var id: ItemID
  var fileExtension: String
  var bytes: Int64
  var sha256: [UInt8]
  var remoteName: String
  var metadata: ItemMetadata
  var state = State.stored
  /// The reason why the item is quarantined or evicted.
  var reason: String?
  /// The earliest item with the same content.
  var duplicateOf: ItemID?

  init(
    id: ItemID, fileExtension: String, bytes: Int64, sha256: [UInt8], remoteName: String,
    metadata: ItemMetadata
  ) {
    self.id = id
    self.fileExtension = fileExtension
    self.bytes = bytes
    self.sha256 = sha256
    self.remoteName = remoteName
    self.metadata = metadata
  }

  /// Makes the row that a sidecar describes.
  init(_ sidecar: Sidecar) {
    self.init(
      id: sidecar.id, fileExtension: sidecar.fileExtension, bytes: sidecar.bytes,
      sha256: [UInt8](hexadecimal: sidecar.sha256) ?? [], remoteName: sidecar.remoteName,
      metadata: sidecar.metadata)
  }

  /// Reads a row; `nil` when a column holds a value that the spool never writes.
  init?(_ row: Row) {
    guard let text = try? row.decode(String.self, forColumn: "id"), let id = ItemID(text),
      let state = (try? row.decode(String.self, forColumn: "state")).flatMap(State.init),
      let fileExtension = try? row.decode(String.self, forColumn: "file_extension"),
      let bytes = try? row.decode(Int64.self, forColumn: "bytes"),
      let sha256 = try? row.decode(Data.self, forColumn: "sha256"),
      let remoteName = try? row.decode(String.self, forColumn: "remote_name")
    else { return nil }
    // The picture matters more than its metadata, so unreadable metadata are replaced.
    let metadata =
      (try? SpoolJSON.decode(
        ItemMetadata.self, row.decode(String.self, forColumn: "metadata")))
      ?? ItemMetadata(
        rigID: String(remoteName.prefix { $0 != "/" }),
        pressNumber: try? row.decode(Int64?.self, forColumn: "press_number"),
        captured: CaptureTime(
          bootID: nil, monotonicNanoseconds: nil, wallNanoseconds: nil, wallTrust: .unknown))
    self.init(
      id: id, fileExtension: fileExtension, bytes: bytes, sha256: Array(sha256),
      remoteName: remoteName, metadata: metadata)
    self.state = state
    reason = try? row.decode(String?.self, forColumn: "reason")
    duplicateOf = (try? row.decode(String?.self, forColumn: "duplicate_of")).flatMap(ItemID.init)
  }

  var quarantineReason: QuarantineReason? {
    state == .quarantined ? QuarantineReason(rawValue: reason ?? "damaged") : nil
  }

  /// Whether a picture that waits or is quarantined is known to have a file.
  var hasFile: Bool { quarantineReason != .missing }

  /// Returns the sidecar that describes the row.
  func sidecar(targets: [TargetID]) -> Sidecar {
    Sidecar(
      schema: Sidecar.currentSchema, id: id, fileExtension: fileExtension, bytes: bytes,
      sha256: sha256.hexadecimal, remoteName: remoteName, targets: targets, metadata: metadata)
  }

  /// Whether a sidecar describes the picture of this row.
  ///
  /// After a lost index the targets may differ, and after a newer version the fields. The picture
  /// may not differ.
  func isDescribed(by sidecar: Sidecar) -> Bool {
    sidecar.sha256 == sha256.hexadecimal && sidecar.bytes == bytes
      && sidecar.remoteName == remoteName
  }

  /// Inserts the row and a pending delivery for each target.
  ///
  /// A press number that the spool cannot have given out is neither indexed nor continued from. The
  /// sequence number is the ID's. An adopted item whose number is taken gets the next number. The
  /// earliest item with the same content becomes the original, in whatever order the items come. A
  /// proxy is neither an original nor a duplicate, because its content changes.
  func insert(_ database: Database, targets: [TargetID]) throws {
    let last = try Self.number("last_sequence", database)
    let isTaken =
      try id.sequence <= last
      && (Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM item WHERE sequence = ?)",
        arguments: [id.sequence]) ?? false)
    let sequence = isTaken ? last + 1 : id.sequence
    let mayBeEqual = state == .stored && !metadata.isProxy
    let original = mayBeEqual ? try original(before: sequence, database) : nil
    try database.cachedStatement(
      sql: """
        INSERT INTO item (sequence, id, press_number, file_extension, bytes, sha256, remote_name,
          metadata, state, reason, duplicate_of) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      sequence, id.description, metadata.pressNumber.flatMap { ItemID.isCountable($0) ? $0 : nil },
      fileExtension, bytes, Data(sha256),
      remoteName, try SpoolJSON.text(metadata), state.rawValue, reason, original,
    ])
    // Every state counts: there is a picture, so the press was not refused.
    if let press = PressEntry(self) { try PressRow.write(press, database) }
    let deliveryState = state == .quarantined ? "quarantined" : "pending"
    for target in targets {
      try database.cachedStatement(
        sql: """
          INSERT INTO delivery (item, target, state, attempts, item_failures) VALUES (?, ?, ?, 0, 0)
          """
      ).execute(arguments: [sequence, target.rawValue, deliveryState])
    }
    if sequence > last {
      try Self.setNumber("last_sequence", sequence, database)
    } else if original == nil, mayBeEqual {
      try database.cachedStatement(
        sql: """
          UPDATE item SET duplicate_of = ?
          WHERE sha256 = ? AND bytes = ? AND sequence > ? AND state = 'stored'
            AND \(Self.isFinal)
          """
      ).execute(arguments: [id.description, Data(sha256), bytes, sequence])
    }
  }

  /// Returns the earliest item with the same content that is in the queue or done, and no proxy.
  private func original(before sequence: Int64, _ database: Database) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(sql: Self.originalSQL),
      arguments: [Data(sha256), bytes, sequence])
  }

  static let originalSQL = """
    SELECT id FROM item WHERE sha256 = ? AND bytes = ? AND sequence < ?
      AND state NOT IN ('quarantined', 'evicted') AND \(isFinal) ORDER BY sequence LIMIT 1
    """

  /// The condition on rows that are no proxies; metadata that are no JSON are those of none.
  private static let isFinal = "instr(metadata, '\"proxy\":{') = 0"

  /// Reads a number of the `meta` table.
  static func number(_ key: String, _ database: Database) throws -> Int64 {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT value FROM meta WHERE key = ?"), arguments: [key]) ?? 0
  }

  /// Writes a number of the `meta` table.
  static func setNumber(_ key: String, _ value: Int64, _ database: Database) throws {
    try database.cachedStatement(
      sql: "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
    ).execute(arguments: [key, value])
  }
}
