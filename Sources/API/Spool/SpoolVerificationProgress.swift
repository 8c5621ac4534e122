/// How far the verification of the spool is: the answer to `GET /v1/spool/verify`.
public struct SpoolVerificationProgress: Sendable, Hashable, Codable {
  /// Whether one runs.
  public let isRunning: Bool
  /// How many rows the newest one has compared.
  public let rows: Int
  /// How many bytes the newest one has hashed.
  public let hashedBytes: Int64
  /// How many bytes the pictures have that are on the disk.
  public let bytes: Int64

  /// Makes a report.
  public init(isRunning: Bool, rows: Int, hashedBytes: Int64, bytes: Int64) {
    self.isRunning = isRunning
    self.rows = rows
    self.hashedBytes = hashedBytes
    self.bytes = bytes
  }
}
