import Synchronization

/// The bandwidth of one target, shared by the running deliveries.
///
/// The uploader sets the number of running deliveries, and a sender asks for its share before each
/// request. A request keeps its share until it ends. When a further delivery begins, the limit may
/// be exceeded until the earlier requests end.
package final class BandwidthShare: Sendable {
  /// The limit for all deliveries together, in bytes per second; 1 or more.
  package let bytesPerSecond: Int64
  private let running = Mutex(0)

  /// Makes a share for one target.
  ///
  /// - Parameter bytesPerSecond: the limit, 1 or more.
  package init(bytesPerSecond: Int64) {
    precondition(bytesPerSecond >= 1, "nothing can be sent at \(bytesPerSecond) bytes per second")
    self.bytesPerSecond = bytesPerSecond
  }

  /// The bandwidth that one request may take now, in bytes per second; 1 or more.
  package var share: Int64 {
    max(1, bytesPerSecond / Int64(max(1, running.withLock { $0 })))
  }

  /// Sets the number of running deliveries.
  func set(running count: Int) {
    running.withLock { $0 = count }
  }
}
