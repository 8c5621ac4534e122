/// The progress of the spool's verification: the answer to `GET /v1/spool/verify`.
package struct SpoolVerificationProgress: Sendable, Hashable, Codable {
  /// Whether a verification runs.
  package let isRunning: Bool
  /// The number of rows that the newest verification has compared.
  package let rows: Int
  /// The number of bytes that the newest verification has hashed.
  package let hashedBytes: Int64
  /// The length in bytes of all pictures that are on the disk.
  package let bytes: Int64

  package init(isRunning: Bool, rows: Int, hashedBytes: Int64, bytes: Int64) {
    self.isRunning = isRunning
    self.rows = rows
    self.hashedBytes = hashedBytes
    self.bytes = bytes
  }
}
