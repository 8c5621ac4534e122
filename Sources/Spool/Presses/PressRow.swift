import Devices
import GRDB

/// The row of one press.
enum PressRow {
  /// Inserts a press, or adds missing facts to its row as ``PressEntry/absorb(_:)`` does.
  ///
  /// A row with the same number and another boot is another press's and stays as it is.
  static func write(_ entry: PressEntry, _ database: Database) throws {
    try write(entry, entry.items.first, database)
    // Items are added one by one, so that each is looked up among the row's items.
    for item in entry.items.dropFirst() { try write(entry, item, database) }
  }

  private static func write(
    _ entry: PressEntry, _ item: ItemID?, _ database: Database
  ) throws {
    try database.cachedStatement(sql: writeSQL).execute(arguments: [
      entry.number, entry.time.bootID, entry.time.monotonicNanoseconds,
      entry.time.wallNanoseconds, entry.time.wallTrust.rawValue, entry.source.rawValue,
      entry.gesture?.rawValue, entry.button.map(word), entry.readiness?.rawValue,
      entry.outcome.map { PressQuery.Outcome($0).rawValue }, entry.reason.map(word),
      // A picture without an ID still counts as a picture.
      item?.description ?? (PressQuery.Outcome(entry.outcome) == .stored ? "" : nil),
      entry.frame, entry.selectionErrorNanoseconds, entry.frameIntervalNanoseconds,
      entry.pressToFrameNanoseconds, entry.pressToStoredNanoseconds, entry.captureAngle,
      entry.adjusting.map { $0.map(\.rawValue).joined(separator: " ") },
      entry.warnings.map { $0.map(\.rawValue).joined(separator: " ") },
      entry.bracket?.description,
    ])
  }

  private static func word(_ text: String) -> String { String(text.prefix(PressEntry.wordLimit)) }

  private static let kept = [
    "boot_id", "monotonic", "gesture", "button", "readiness", "frame", "selection_error",
    "frame_interval", "press_to_frame", "press_to_stored", "capture_angle",
    "adjusting", "warnings", "bracket",
  ]

  static let writeSQL = """
    INSERT INTO press (number, boot_id, monotonic, wall, wall_trust, source, gesture, button,
        readiness, outcome, reason, items, frame, selection_error, frame_interval, press_to_frame,
        press_to_stored, capture_angle, adjusting, warnings, bracket)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (number) DO UPDATE SET
        \(kept.map { "\($0) = COALESCE(\($0), excluded.\($0))" }.joined(separator: ", ")),
        wall = COALESCE(wall, excluded.wall),
        wall_trust = CASE WHEN wall IS NULL THEN excluded.wall_trust ELSE wall_trust END,
        outcome = CASE WHEN outcome = 'stored' OR excluded.outcome = 'stored' THEN 'stored'
          ELSE COALESCE(outcome, excluded.outcome) END,
        reason = CASE WHEN outcome = 'stored' OR excluded.outcome = 'stored' THEN NULL
          ELSE COALESCE(reason, excluded.reason) END,
        items = CASE WHEN items IS NULL THEN excluded.items
          WHEN excluded.items IS NULL OR instr(items, excluded.items) > 0
            OR length(items) > \(PressEntry.itemLimit * 36) THEN items
          ELSE items || ' ' || excluded.items END
      WHERE boot_id IS NULL OR excluded.boot_id IS NULL OR boot_id = excluded.boot_id
    """

  /// Reads a row, with the best wall-clock time that is known now.
  static func entry(_ row: Row, _ database: Database) throws -> PressEntry {
    var entry = PressEntry(
      number: try row.decode(forColumn: "number"), time: try time(row, database),
      source: PressSource(rawValue: try row.decode(forColumn: "source")) ?? .unknown)
    entry.gesture = try row.decode(String?.self, forColumn: "gesture")
      .flatMap { Gesture(rawValue: $0) }
    entry.button = try row.decode(forColumn: "button")
    entry.readiness = try row.decode(String?.self, forColumn: "readiness")
      .flatMap { CaptureReadiness(rawValue: $0) }
    if let items = try row.decode(String?.self, forColumn: "items") {
      entry.outcome = .stored(items.split(separator: " ").compactMap { ItemID(String($0)) })
    } else if let reason = try row.decode(String?.self, forColumn: "reason") {
      entry.outcome = .refused(reason)
    }
    entry.frame = try row.decode(forColumn: "frame")
    entry.selectionErrorNanoseconds = try row.decode(forColumn: "selection_error")
    entry.frameIntervalNanoseconds = try row.decode(forColumn: "frame_interval")
    entry.pressToFrameNanoseconds = try row.decode(forColumn: "press_to_frame")
    entry.pressToStoredNanoseconds = try row.decode(forColumn: "press_to_stored")
    entry.captureAngle = try row.decode(forColumn: "capture_angle")
    entry.adjusting = try row.decode(String?.self, forColumn: "adjusting")
      .flatMap { text in
        let known = text.split(separator: " ").compactMap { CameraAdjustment(rawValue: String($0)) }
        return known.isEmpty ? nil : known
      }
    entry.warnings = try row.decode(String?.self, forColumn: "warnings")
      .map { $0.split(separator: " ").compactMap { PageWarning(rawValue: String($0)) } }
    entry.bracket = try row.decode(String?.self, forColumn: "bracket").flatMap { try? Bracket($0) }
    return entry
  }

  static func time(_ row: Row, _ database: Database) throws -> CaptureTime {
    let written = CaptureTime(
      bootID: try row.decode(forColumn: "boot_id"),
      monotonicNanoseconds: try row.decode(forColumn: "monotonic"),
      wallNanoseconds: try row.decode(forColumn: "wall"),
      wallTrust: WallTrust(rawValue: try row.decode(forColumn: "wall_trust")) ?? .unknown)
    return try ItemIndex.corrected(written, database)
  }
}

extension PressEntry {
  /// Makes an entry from a picture's metadata; `nil` without a possible press number.
  init?(_ row: ItemRow) {
    let metadata = row.metadata
    guard let number = metadata.pressNumber, ItemID.isCountable(number) else { return nil }
    var time = metadata.captured
    if let pressed = metadata.pressMonotonicNanoseconds {
      // Both clocks ran equally from the press to the exposure.
      let wall = time.wallNanoseconds.flatMap { wall in
        time.monotonicNanoseconds.flatMap { exposed in
          CaptureTime.difference(pressed, exposed).flatMap { CaptureTime.sum(wall, $0) }
        }
      }
      time.monotonicNanoseconds = pressed
      time.wallNanoseconds = wall
      if wall == nil { time.wallTrust = .unknown }
    }
    self.init(number: number, time: time, source: metadata.pressSource ?? .unknown)
    gesture = metadata.pressGesture
    button = metadata.pressButton
    outcome = .stored([row.id])
    frame = metadata.frameSequence
    selectionErrorNanoseconds = metadata.selectionErrorNanoseconds
    frameIntervalNanoseconds = metadata.frameIntervalNanoseconds
    captureAngle = metadata.captureAngle
    adjusting = metadata.adjusting
    warnings = metadata.page?.warnings
  }
}

extension CaptureTime {
  /// Returns the difference; `nil` on overflow.
  static func difference(_ one: Int64, _ other: Int64) -> Int64? {
    let (difference, overflow) = one.subtractingReportingOverflow(other)
    return overflow ? nil : difference
  }
}
