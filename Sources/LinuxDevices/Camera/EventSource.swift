import Dispatch
import Glibc

/// Watches an eventfd of the shim on a queue until the watch is released.
///
/// The source watches a copy of the descriptor. A dispatch source needs its own open until it has
/// been canceled, which happens later, and the shim may close the original at any time.
struct EventSource: ~Copyable {
  private let source: any DispatchSourceRead

  /// Calls `handler` on the queue whenever the descriptor is readable.
  ///
  /// The result is `nil` when the process has no descriptor left.
  init?(descriptor: Int32, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return nil }
    source = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
    source.setEventHandler(handler: handler)
    source.setCancelHandler { Glibc.close(copy) }
    source.activate()
  }

  deinit {
    source.cancel()
  }
}
