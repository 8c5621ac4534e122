import Foundation
import Glibc

/// A thread that watches an eventfd of the shim until the watch is released.
///
/// An event wakes this thread alone. A dispatch source would wake a worker and twice the manager of
/// all sources.
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
  ///
  /// - Parameter failed: a closure that gets the `errno` with which the thread has ended by itself.
  init?(
    descriptor: Int32, handler: @escaping @Sendable () -> Void,
    failed: @escaping @Sendable (Int32) -> Void
  ) {
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
      let failure = EventThread.handle(copy, until: stopped, handler, wait: EventThread.wait)
      Glibc.close(copy)
      Glibc.close(stopped)
      if let failure { failed(failure) }
    }
  }

  deinit {
    Glibc.close(stop)
  }

  /// Waits for events (`poll`) and returns the number of ready descriptors, or a negative `errno`.
  private static func wait(for watched: inout [pollfd]) -> Int32 {
    let ready = poll(&watched, nfds_t(watched.count), -1)
    return ready < 0 ? -errno : ready
  }

  /// Handles events until the watch is released; only an interrupted wait is repeated.
  ///
  /// - Returns: the `errno` of a failed wait; `nil` when the watch has been released.
  static func handle(
    _ descriptor: Int32, until stopped: Int32, _ handler: () -> Void,
    wait: (inout [pollfd]) -> Int32
  ) -> Int32? {
    var watched = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let ready = wait(&watched)
      if ready == -EINTR { continue }
      guard ready >= 0 else { return -ready }
      guard watched[1].revents == 0 else { return nil }
      // The descriptor would stay ready, and nothing could be read from it.
      guard watched[0].revents & Int16(POLLERR | POLLNVAL) == 0 else { return EBADF }
      handler()
    }
  }
}
