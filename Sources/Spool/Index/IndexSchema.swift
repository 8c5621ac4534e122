import GRDB

/// The tables of `queue.db`, version 1.
enum IndexSchema {
  static let version: Int64 = 1

  /// Every object by name, as `sqlite_master` repeats it.
  static let objects: [(name: String, sql: String)] = [
    (
      "meta",
      "CREATE TABLE meta (key TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT"
    ),
    (
      "boot",
      "CREATE TABLE boot (number INTEGER PRIMARY KEY, boot_id TEXT NOT NULL UNIQUE) STRICT"
    ),
    (
      "item",
      """
      CREATE TABLE item (
        sequence INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        press_number INTEGER,
        file_extension TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        sha256 BLOB NOT NULL,
        remote_name TEXT NOT NULL,
        metadata TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('stored', 'delivered', 'quarantined')),
        quarantine_reason TEXT
      ) STRICT
      """
    ),
    (
      "item_press",
      "CREATE INDEX item_press ON item (press_number) WHERE press_number IS NOT NULL"
    ),
    (
      "item_state",
      "CREATE INDEX item_state ON item (state, bytes)"
    ),
    (
      "delivery",
      """
      CREATE TABLE delivery (
        item INTEGER NOT NULL REFERENCES item (sequence),
        target TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'quarantined')),
        attempts INTEGER NOT NULL,
        last_failure TEXT,
        receipt TEXT,
        PRIMARY KEY (item, target),
        CHECK ((state = 'done') = (receipt IS NOT NULL))
      ) STRICT, WITHOUT ROWID
      """
    ),
    (
      "delivery_pending",
      "CREATE INDEX delivery_pending ON delivery (target, item) WHERE state = 'pending'"
    ),
  ]

  /// Makes all tables in an empty database, which goes on counting where a lost one may have been.
  static func create(_ database: Database, continuing limits: NumberLimits) throws {
    for object in objects { try database.execute(sql: object.sql) }
    try database.execute(
      sql: "INSERT INTO meta VALUES ('schema_version', ?), ('last_sequence', ?), ('last_press', ?)",
      arguments: [version, limits.sequence - 1, limits.press - 1])
    if limits.boot > 0 {
      try database.execute(
        sql: "INSERT INTO boot VALUES (?, ?)", arguments: [limits.boot, limits.bootID])
    }
  }

  /// What a database contains.
  enum Content: Equatable {
    case empty, current, newer(Int64), foreign
  }

  /// Looks at a database without changing it.
  static func content(_ database: Database) throws -> Content {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    if rows.isEmpty { return .empty }
    let found = Dictionary(
      rows.map { ($0["name"] as String, $0["sql"] as String) }, uniquingKeysWith: { $1 })
    guard found["meta"] != nil,
      let value = try? Int64.fetchOne(
        database, sql: "SELECT value FROM meta WHERE key = 'schema_version'")
    else { return .foreign }
    if value > version { return .newer(value) }
    let expected = Dictionary(objects.map { ($0.name, $0.sql) }, uniquingKeysWith: { $1 })
    return value == version && found == expected ? .current : .foreign
  }
}
