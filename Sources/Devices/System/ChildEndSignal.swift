import CFileCalls
import Glibc

/// The signal of a child's end (`SIGCHLD`), which no thread of a process with libcamera may take.
///
/// Before 0.5.2, libcamera handles the signal with an object of its camera manager (`sigact()` in
/// src/libcamera/process.cpp). A child that ends as a manager is made or freed ends the process,
/// because there is no such object then. All our own children are awaited instead.
package enum ChildEndSignal {
  /// Blocks the signal in this thread and in those that the thread starts later.
  ///
  /// Must be called first in `main`. Dispatch's own threads block all signals. The main thread has
  /// to wait with `pause()`, because `dispatchMain()` waits with no signal blocked. Our started
  /// programs do not inherit the block.
  package static func block() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGCHLD)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
