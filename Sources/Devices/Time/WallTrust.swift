/// The trust in a wall-clock time.
package enum WallTrust: String, Sendable, Hashable, Codable, CaseIterable {
  /// The clock was synchronized with a time server.
  case synchronized
  /// The clock had been set, from a saved time or by hand, but not synchronized in this boot.
  case estimated
  /// The clock's state is unknown.
  case unknown
}
