import GRDB

extension IndexSchema {
  /// The tables of version 1, which identify a database of that version.
  static let version1: [Object] = [
    Object(
      "meta", "CREATE TABLE meta (key TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT"),
    Object(
      "boot",
      "CREATE TABLE boot (number INTEGER PRIMARY KEY, boot_id TEXT NOT NULL UNIQUE) STRICT"),
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
        state TEXT NOT NULL CHECK (state IN ('stored', 'delivered', 'quarantined')),
        quarantine_reason TEXT
      ) STRICT
      """),
    Object(
      "item_press",
      "CREATE INDEX item_press ON item (press_number) WHERE press_number IS NOT NULL"),
    Object("item_state", "CREATE INDEX item_state ON item (state, bytes)"),
    Object(
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
      """),
    Object(
      "delivery_pending",
      "CREATE INDEX delivery_pending ON delivery (target, item) WHERE state = 'pending'"),
  ]

  /// Migrates a database of version 1; must be called in a transaction.
  ///
  /// The tables are copied, because a `CHECK` cannot be changed in place. Items that version 1
  /// calls delivered have lost their files already. They become purged, and recovery removes files
  /// that a crash has brought back. The migration does not look for duplicates among the old items.
  ///
  /// - Complexity: O(items in history), once.
  static func migrateVersion1(_ database: Database) throws {
    for name in ["item_press", "item_state", "delivery_pending"] {
      try database.execute(sql: "DROP INDEX \(name)")
    }
    // The reference of the old deliveries follows the old items' new name.
    for name in ["item", "delivery", "boot"] {
      try database.execute(sql: "ALTER TABLE \(name) RENAME TO \(name)_version1")
    }
    for object in queueObjects where object.name != "meta" {
      try database.execute(sql: object.sql)
    }
    for statement in [
      "INSERT INTO boot (number, boot_id) SELECT number, boot_id FROM boot_version1",
      """
      INSERT INTO item SELECT sequence, id, press_number, file_extension, bytes, sha256,
        remote_name, metadata, CASE state WHEN 'delivered' THEN 'purged' ELSE state END,
        quarantine_reason, NULL FROM item_version1
      """,
      """
      INSERT INTO delivery SELECT item, target, state, attempts, 0, last_failure, NULL, receipt
        FROM delivery_version1
      """,
      "DROP TABLE delivery_version1", "DROP TABLE item_version1", "DROP TABLE boot_version1",
    ] {
      try database.execute(sql: statement)
    }
  }
}
