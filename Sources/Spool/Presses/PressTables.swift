/// The tables of the ledger.
///
/// The tables came with version 3. The column `adjusting` came with version 4, `warnings` with
/// version 5, and `bracket` with version 6; they stand where `ALTER TABLE` puts them. A finished
/// press has no index besides its number, because another index would add a page to the commit of
/// every picture. Queries go backwards through the numbers, slice by slice.
enum PressTables {
  /// The column that version 3 did not have.
  static let adjusting = "adjusting TEXT"
  /// The column that version 4 did not have.
  static let warnings = "warnings TEXT"
  /// The column that version 5 did not have.
  static let bracket = "bracket TEXT"

  static let objects: [IndexSchema.Object] = tables + triggers

  /// The objects of version 5.
  static let version5 = objects.map { object in
    IndexSchema.Object(object.name, object.sql.replacing(", \(bracket),", with: ","))
  }

  /// The objects of version 4.
  static let version4 = version5.map { object in
    IndexSchema.Object(object.name, object.sql.replacing(", \(warnings),", with: ","))
  }

  /// The objects of version 3.
  static let version3 = version4.map { object in
    IndexSchema.Object(object.name, object.sql.replacing(", \(adjusting),", with: ","))
  }

  private static let tables = [
    IndexSchema.Object(
      "press",
      """
      CREATE TABLE press (
        number INTEGER PRIMARY KEY,
        boot_id TEXT,
        monotonic INTEGER,
        wall INTEGER,
        wall_trust TEXT NOT NULL,
        source TEXT NOT NULL,
        gesture TEXT,
        button TEXT,
        readiness TEXT,
        outcome TEXT CHECK (outcome IN ('stored', 'refused')),
        reason TEXT,
        items TEXT,
        frame INTEGER,
        selection_error INTEGER,
        frame_interval INTEGER,
        press_to_frame INTEGER,
        press_to_stored INTEGER,
        capture_angle INTEGER, \(adjusting), \(warnings), \(bracket),
        CHECK ((outcome IS 'refused') = (reason IS NOT NULL)),
        CHECK ((outcome IS 'stored') = (items IS NOT NULL))
      ) STRICT
      """),
    IndexSchema.Object(
      "press_open", "CREATE INDEX press_open ON press (number) WHERE outcome IS NULL"),
    IndexSchema.Object(
      "press_tally",
      """
      CREATE TABLE press_tally (
        outcome TEXT NOT NULL,
        reason TEXT NOT NULL,
        kept INTEGER NOT NULL,
        pruned INTEGER NOT NULL,
        PRIMARY KEY (outcome, reason)
      ) STRICT, WITHOUT ROWID
      """),
    IndexSchema.Object(
      "lost_edges",
      """
      CREATE TABLE lost_edges (
        number INTEGER PRIMARY KEY,
        boot_id TEXT,
        monotonic INTEGER,
        wall INTEGER,
        wall_trust TEXT NOT NULL,
        button TEXT NOT NULL,
        edges INTEGER NOT NULL
      ) STRICT
      """),
  ]

  private static let triggers = [
    IndexSchema.Object(
      "press_entered",
      "CREATE TRIGGER press_entered AFTER INSERT ON press BEGIN\n\(add)\nEND"),
    IndexSchema.Object(
      "press_ended",
      """
      CREATE TRIGGER press_ended AFTER UPDATE OF outcome, reason ON press
        WHEN OLD.outcome IS NOT NEW.outcome OR OLD.reason IS NOT NEW.reason
      BEGIN
        UPDATE press_tally SET kept = kept - 1 WHERE \(isOld);
      \(add)
      END
      """),
    IndexSchema.Object(
      "press_pruned",
      """
      CREATE TRIGGER press_pruned AFTER DELETE ON press BEGIN
        UPDATE press_tally SET kept = kept - 1, pruned = pruned + 1 WHERE \(isOld);
      END
      """),
  ]

  private static let isOld =
    "outcome = COALESCE(OLD.outcome, 'pending') AND reason = COALESCE(OLD.reason, '')"
  private static let add = """
      INSERT INTO press_tally
        VALUES (COALESCE(NEW.outcome, 'pending'), COALESCE(NEW.reason, ''), 1, 0)
        ON CONFLICT (outcome, reason) DO UPDATE SET kept = kept + 1;
    """
}
