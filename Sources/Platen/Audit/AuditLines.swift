import API
import Foundation

/// The text of the audit log: an ``API/AuditEntry`` in JSON on each line, the oldest first.
enum AuditLines {
  /// The longest line in bytes with its end; a note is far shorter.
  static let maximumLineBytes = 8192

  /// The line of an entry, with its end.
  ///
  /// - Throws: `EncodingError`.
  static func line(of entry: AuditEntry) throws -> [UInt8] {
    try APICoding.encode(entry) + [UInt8(ascii: "\n")]
  }

  /// How many bytes belong to whole lines; what follows was cut off when the power was.
  static func wholeBytes(of bytes: [UInt8]) -> Int {
    (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
  }

  /// The newest entries, the newest first; what is no entry is passed over.
  ///
  /// - Complexity: O(the bytes of the lines that are looked at).
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
