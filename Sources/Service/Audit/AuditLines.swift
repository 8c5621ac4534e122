import API
import Foundation

/// The text of the audit log: an ``API/AuditEntry`` in JSON on each line, the oldest first.
enum AuditLines {
  /// The maximum length of a line in bytes with its newline; a note is far shorter.
  static let maximumLineBytes = 8192

  /// Returns the line of an entry, with its newline.
  ///
  /// - Throws: `EncodingError`.
  static func line(of entry: AuditEntry) throws -> [UInt8] {
    try APICoding.encode(entry) + [UInt8(ascii: "\n")]
  }

  /// Returns the number of bytes in whole lines; a power cut may have left a partial last line.
  static func wholeBytes(of bytes: [UInt8]) -> Int {
    (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
  }

  /// Returns the newest entries, the newest first; skips lines that are not entries.
  ///
  /// - Complexity: O(the bytes of the examined lines).
  static func newestEntries(in bytes: [UInt8], limit: Int) -> [AuditEntry] {
    var entries: [AuditEntry] = []
    var end = wholeBytes(of: bytes) - 1
    let decoder = JSONDecoder()
    while end > 0, entries.count < limit {
      let start = (bytes[..<end].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
      let line = bytes[start..<end]
      if line.count < maximumLineBytes,
        let entry = try? decoder.decode(AuditEntry.self, from: Data(line))
      {
        entries.append(entry)
      }
      end = start - 1
    }
    return entries
  }
}
