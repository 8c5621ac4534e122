import Synchronization

/// The bandwidth of one target, shared by the deliveries that run.
///
/// The uploader says how many run; whoever sends a request asks for its share before it begins.
/// A request keeps its share until it ends, so when a further delivery begins the limit may be
/// exceeded for as long as the requests last that began before it.
public final class BandwidthShare: Sendable {
  /// The limit for all deliveries together, in bytes per second; 1 or more.
  public let bytesPerSecond: Int64
  private let running = Mutex(0)

  /// Makes a share for one target.
  ///
  /// - Parameter bytesPerSecond: the limit, 1 or more.
  public init(bytesPerSecond: Int64) {
    precondition(bytesPerSecond >= 1, "nothing can be sent at \(bytesPerSecond) bytes per second")
    self.bytesPerSecond = bytesPerSecond
  }

  /// What one request may take now, in bytes per second; 1 or more.
  public var share: Int64 {
    max(1, bytesPerSecond / Int64(max(1, running.withLock { $0 })))
  }

  /// Says how many deliveries run.
  func set(running count: Int) {
    running.withLock { $0 = count }
  }
}
