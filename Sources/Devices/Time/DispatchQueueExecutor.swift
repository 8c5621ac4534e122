public import Dispatch

/// A serial executor on a dispatch queue, for actors that make blocking calls.
///
/// One device is one actor on one of these, so that an `ioctl`, `fsync` or encode never blocks the
/// shared thread pool. Foundation's `DispatchSerialQueue` executor does not exist on Linux.
public final class DispatchQueueExecutor: SerialExecutor {
  /// The queue, for dispatch sources whose handlers run on the actor.
  public let queue: DispatchQueue

  /// Makes an executor with a queue of its own.
  ///
  /// - Parameter label: the queue's name as debuggers show it.
  public init(label: String) {
    queue = DispatchQueue(label: label)
  }

  /// Runs a job of the actor on the queue.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Traps unless the caller runs on the queue.
  public func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
