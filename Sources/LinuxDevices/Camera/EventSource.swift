import Dispatch
import Glibc

/// Watches an eventfd of the shim's on a queue until it is let go.
///
/// Watches a copy of the descriptor: the dispatch source must keep its own open until it has been
/// cancelled, which happens later, and the shim closes the original when it likes.
struct EventSource: ~Copyable {
  private let source: any DispatchSourceRead

  /// Calls `handler` on the queue whenever the descriptor is readable.
  ///
  /// `nil` when the process has no descriptor left.
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
