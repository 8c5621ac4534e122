/// The timeouts and the speed limit of one transfer.
package struct TransferLimits: Sendable, Hashable {
  /// The longest time for name lookup, connection and handshake together.
  package var connectTimeout: Duration
  /// The longest time without a single byte in either direction, once connected.
  package var stallTimeout: Duration
  /// The longest time for the whole transfer.
  package var totalTimeout: Duration
  /// The speed limit in both directions in bytes per second, 1 or more; `nil` for no limit.
  package var maximumBytesPerSecond: Int64?

  package init(
    connectTimeout: Duration, stallTimeout: Duration, totalTimeout: Duration,
    maximumBytesPerSecond: Int64? = nil
  ) {
    self.connectTimeout = connectTimeout
    self.stallTimeout = stallTimeout
    self.totalTimeout = totalTimeout
    self.maximumBytesPerSecond = maximumBytesPerSecond
  }
}
