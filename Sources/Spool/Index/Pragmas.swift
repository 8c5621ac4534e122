import GRDB

/// The settings on which durability rests, as read back from the open connection.
///
/// GRDB lowers `synchronous` to NORMAL when it sets up WAL itself. WAL with NORMAL loses committed
/// rows at a power cut. So the settings are made after opening and are read back.
struct Pragmas: Hashable {
  var journalMode: String
  /// The mode of `fsync`; 2 is FULL.
  var synchronous: Int
  var lockingMode: String
  /// The number of pages after which SQLite copies the log back by itself; 0 for never.
  ///
  /// SQLite would hide a failed `fsync` and retry with the next commit, so the index copies the
  /// log.
  var walAutocheckpoint: Int
  var foreignKeys: Bool

  static let required = Pragmas(
    journalMode: "wal", synchronous: 2, lockingMode: "exclusive", walAutocheckpoint: 0,
    foreignKeys: true)

  /// Makes the required settings; must run outside a transaction.
  static func set(_ database: Database) throws {
    // Each pragma answers with one row or with none. Either answer must be stepped through.
    for pragma in [
      "locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL",
      "wal_autocheckpoint = 0", "foreign_keys = ON", "temp_store = MEMORY",
    ] {
      _ = try Row.fetchAll(database, sql: "PRAGMA " + pragma)
    }
  }

  /// Reads the settings of a connection.
  static func read(_ database: Database) throws -> Pragmas {
    Pragmas(
      journalMode: try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "",
      synchronous: try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? -1,
      lockingMode: try String.fetchOne(database, sql: "PRAGMA locking_mode") ?? "",
      walAutocheckpoint: try Int.fetchOne(database, sql: "PRAGMA wal_autocheckpoint") ?? -1,
      foreignKeys: try Bool.fetchOne(database, sql: "PRAGMA foreign_keys") ?? false)
  }
}
