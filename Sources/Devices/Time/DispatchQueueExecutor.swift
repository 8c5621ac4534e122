package import Dispatch
import Synchronization

/// A serial executor on a dispatch queue, for actors that make blocking calls.
///
/// Each device is an actor on its own executor, so that an `ioctl`, `fsync` or encode never blocks
/// the shared thread pool. Foundation's `DispatchSerialQueue` executor does not exist on Linux.
/// A job costs no allocation: one block is submitted again and again, and runs the next job.
package final class DispatchQueueExecutor: SerialExecutor {
  /// The queue, for dispatch sources whose handlers run on the actor.
  package let queue: DispatchQueue
  private let jobs = Jobs()
  private let runNext: @Sendable @convention(block) () -> Void

  /// The number of the job that runs now; `nil` while none does.
  ///
  /// A number that stays the same means a hung call, not a call that waits for others.
  package var runningJob: UInt64? { jobs.runningJob }

  /// Makes an executor with a queue of its own.
  ///
  /// - Parameter label: the queue's name in debuggers.
  package init(label: String) {
    queue = DispatchQueue(label: label)
    runNext = { [jobs] in jobs.runNext() }
  }

  /// Runs a job of the actor on the queue.
  package func enqueue(_ job: consuming ExecutorJob) {
    enqueue(UnownedJob(job), for: nil)
  }

  /// Runs a job on the queue, with the preference of its task if it has one.
  ///
  /// A lent thread runs a job with a preference itself while the queue is idle.
  func enqueue(_ job: UnownedJob, for tasks: ActorTasks?) {
    jobs.append(Jobs.Waiting(job: job, executor: self, tasks: tasks))
    if tasks?.runsOnLentThreads == true, let thread = LentThread.current {
      thread.resume(self)
    } else {
      queue.async(execute: runNext)
    }
  }

  /// Runs the next job on the calling thread, which is lent, or on the queue if that is not idle.
  func runNextHere() {
    if jobs.areForLentThread {
      queue.sync { jobs.runNext() }
    } else {
      queue.async(execute: runNext)
    }
  }

  /// Traps unless the caller runs on the queue.
  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}

/// The jobs of an executor that have not run, in the order in which they came.
private final class Jobs: Sendable {
  /// A job with its executors, which its actor may give up while the job runs.
  struct Waiting {
    var job: UnownedJob
    var executor: DispatchQueueExecutor
    var tasks: ActorTasks?

    func run() {
      let serial = executor.asUnownedSerialExecutor()
      if let tasks {
        job.runSynchronously(isolatedTo: serial, taskExecutor: tasks.asUnownedTaskExecutor())
      } else {
        job.runSynchronously(on: serial)
      }
    }
  }

  private struct State {
    var waiting: [Waiting] = []
    var number: UInt64 = 0
    var isRunning = false
  }

  private let state = Mutex(State())

  var runningJob: UInt64? { state.withLock { $0.isRunning ? $0.number : nil } }

  /// Whether no job runs, and only one with a preference waits.
  var areForLentThread: Bool {
    state.withLock {
      !$0.isRunning && $0.waiting.count == 1 && $0.waiting[0].tasks?.runsOnLentThreads == true
    }
  }

  func append(_ job: Waiting) {
    state.withLock { $0.waiting.append(job) }
  }

  func runNext() {
    let job = state.withLock { state in
      (state.number, state.isRunning) = (state.number + 1, true)
      return state.waiting.removeFirst()
    }
    withExtendedLifetime(job) { job.run() }
    state.withLock { $0.isRunning = false }
  }
}
