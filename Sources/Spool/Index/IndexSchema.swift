import GRDB

/// The tables of `queue.db`, version 6.
///
/// ``migrate(_:from:presses:)`` updates a database of an older version in one transaction.
enum IndexSchema {
  static let version: Int64 = 6

  /// An object of the database as `sqlite_master` repeats it.
  struct Object {
    var name: String
    var sql: String

    init(_ name: String, _ sql: String) {
      self.name = name
      self.sql = sql
    }
  }

  /// All objects, in the order of creation.
  static let objects: [Object] = queueObjects + PressTables.objects

  /// The queue's own objects; version 2 had no others.
  static let queueObjects: [Object] = tables + indexes + Tally.triggers

  private static let tables = [
    Object(
      "meta", "CREATE TABLE meta (key TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT"),
    Object(
      "boot",
      """
      CREATE TABLE boot (
        number INTEGER PRIMARY KEY,
        boot_id TEXT NOT NULL UNIQUE,
        wall_offset INTEGER,
        wall_source TEXT,
        CHECK ((wall_offset IS NULL) = (wall_source IS NULL))
      ) STRICT
      """),
    Object(
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
        state TEXT NOT NULL CHECK (
          state IN ('stored', 'parked', 'delivered', 'purged', 'quarantined', 'evicted')),
        reason TEXT,
        duplicate_of TEXT
      ) STRICT
      """),
    Object(
      "delivery",
      """
      CREATE TABLE delivery (
        item INTEGER NOT NULL REFERENCES item (sequence),
        target TEXT NOT NULL,
        state TEXT NOT NULL CHECK (
          state IN ('pending', 'parked', 'done', 'quarantined', 'evicted')),
        attempts INTEGER NOT NULL,
        item_failures INTEGER NOT NULL,
        last_failure TEXT,
        resume_state TEXT,
        receipt TEXT,
        PRIMARY KEY (item, target),
        CHECK ((state = 'done') = (receipt IS NOT NULL))
      ) STRICT, WITHOUT ROWID
      """),
    Object(
      "pause",
      """
      CREATE TABLE pause (
        target TEXT PRIMARY KEY NOT NULL,
        boot INTEGER NOT NULL,
        ends INTEGER NOT NULL,
        failure TEXT NOT NULL
      ) STRICT, WITHOUT ROWID
      """),
    Object(
      "audit",
      """
      CREATE TABLE audit (
        number INTEGER PRIMARY KEY,
        boot INTEGER NOT NULL,
        monotonic INTEGER NOT NULL,
        kind TEXT NOT NULL,
        item TEXT,
        target TEXT,
        detail TEXT
      ) STRICT
      """),
    Object(
      "item_tally",
      """
      CREATE TABLE item_tally (
        state TEXT PRIMARY KEY NOT NULL,
        items INTEGER NOT NULL,
        bytes INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID
      """),
    Object(
      "delivery_tally",
      """
      CREATE TABLE delivery_tally (
        target TEXT NOT NULL,
        state TEXT NOT NULL,
        deliveries INTEGER NOT NULL,
        PRIMARY KEY (target, state)
      ) STRICT, WITHOUT ROWID
      """),
  ]

  private static let indexes = [
    Object(
      "item_press",
      "CREATE INDEX item_press ON item (press_number) WHERE press_number IS NOT NULL"),
    // The row's number is the last column of every index, so each state is in storing order.
    Object("item_state", "CREATE INDEX item_state ON item (state)"),
    Object("item_content", "CREATE INDEX item_content ON item (sha256, bytes)"),
    Object(
      "delivery_pending",
      "CREATE INDEX delivery_pending ON delivery (target, item) WHERE state = 'pending'"),
    Object(
      "delivery_parked",
      "CREATE INDEX delivery_parked ON delivery (target, item) WHERE state = 'parked'"),
  ]

  /// Makes all tables in an empty database, which continues the numbers of a lost one.
  static func create(_ database: Database, continuing limits: NumberLimits) throws {
    for object in objects { try database.execute(sql: object.sql) }
    try database.execute(
      sql: "INSERT INTO meta VALUES ('schema_version', ?), ('last_sequence', ?), ('last_press', ?)",
      arguments: [version, limits.sequence - 1, limits.press - 1])
    if limits.boot > 0 {
      try database.execute(
        sql: "INSERT INTO boot (number, boot_id) VALUES (?, ?)",
        arguments: [limits.boot, limits.bootID])
    }
  }

  /// The content of a database.
  enum Content: Equatable {
    case empty, current, older(Int64), newer(Int64), foreign
  }

  /// Examines a database without changing it.
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
    if value == version, found == texts(objects) { return .current }
    if value == 2, found == texts(queueObjects) { return .older(2) }
    if value == 5, found == texts(queueObjects + PressTables.version5) { return .older(5) }
    if value == 4, found == texts(queueObjects + PressTables.version4) { return .older(4) }
    if value == 3, found == texts(queueObjects + PressTables.version3) { return .older(3) }
    if value == 1, found == texts(version1) { return .older(1) }
    return .foreign
  }

  private static func texts(_ objects: [Object]) -> [String: String] {
    Dictionary(objects.map { ($0.name, $0.sql) }, uniquingKeysWith: { $1 })
  }
}
