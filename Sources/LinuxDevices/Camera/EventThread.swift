import Foundation
import Glibc

/// A thread that watches an eventfd of the shim until the watch is released.
///
/// An event wakes this thread alone. A dispatch source would wake a worker and twice the manager of
/// all sources, which matters for an event with each frame.
///
/// The thread watches a copy of the descriptor, because the shim may close the original at any
/// time.
struct EventThread: ~Copyable {
  /// This side of a socket pair, whose closing ends the thread.
  private let stop: Int32

  /// Calls `handler` on the thread whenever the descriptor is readable.
  ///
  /// The handler has to read until nothing is left. The handler may run for the last time while the
  /// watch is being released. The result is `nil` when the process has no descriptor left.
  init?(descriptor: Int32, handler: @escaping @Sendable () -> Void) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    let (stop, stopped) = (ends[0], ends[1])
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else {
      Glibc.close(stop)
      Glibc.close(stopped)
      return nil
    }
    self.stop = stop
    Thread.detachNewThread {
      EventThread.handle(copy, until: stopped, handler)
      Glibc.close(copy)
      Glibc.close(stopped)
    }
  }

  deinit {
    Glibc.close(stop)
  }

  private static func handle(_ descriptor: Int32, until stopped: Int32, _ handler: () -> Void) {
    var watched = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      guard poll(&watched, nfds_t(watched.count), -1) > 0 else { continue }
      guard watched[1].revents == 0 else { return }
      handler()
    }
  }
}
