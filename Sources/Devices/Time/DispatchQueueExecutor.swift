package import Dispatch
import Synchronization

/// A serial executor on a dispatch queue, for actors that make blocking calls.
///
/// Each device is an actor on its own executor, so that an `ioctl`, `fsync` or encode never blocks
/// the shared thread pool. Foundation's `DispatchSerialQueue` executor does not exist on Linux.
package final class DispatchQueueExecutor: SerialExecutor {
  /// The queue, for dispatch sources whose handlers run on the actor.
  package let queue: DispatchQueue

  private struct Progress {
    var number: UInt64 = 0
    var isRunning = false
  }

  private let progress = Mutex(Progress())

  /// The number of the job that runs now; `nil` while none does.
  ///
  /// A number that stays the same means a hung call, not a call that waits for others.
  package var runningJob: UInt64? { progress.withLock { $0.isRunning ? $0.number : nil } }

  /// Makes an executor with a queue of its own.
  ///
  /// - Parameter label: the queue's name in debuggers.
  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  /// Runs a job of the actor on the queue.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      self.progress.withLock { ($0.number, $0.isRunning) = ($0.number + 1, true) }
      job.runSynchronously(on: self.asUnownedSerialExecutor())
      self.progress.withLock { $0.isRunning = false }
    }
  }

  /// Traps unless the caller runs on the queue.
  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
