/// The executor preference of a task that works on an actor.
///
/// Whatever a task waits for resumes it on the shared thread pool, from where it goes on to its
/// actor: two threads wake up. A task with this preference is resumed on the actor's queue at once,
/// and by a ``LentThread`` without any wake-up.
package final class ActorTasks: TaskExecutor {
  private let executor: DispatchQueueExecutor
  /// Whether a lent thread may run the tasks, which then make no call that blocks.
  let runsOnLentThreads: Bool

  /// Makes the preference of tasks of an actor on an executor; it must outlive them.
  package init(on executor: DispatchQueueExecutor, runsOnLentThreads: Bool = true) {
    self.executor = executor
    self.runsOnLentThreads = runsOnLentThreads
  }

  /// Runs a job of a task on the actor's queue, isolated to the actor.
  package func enqueue(_ job: consuming ExecutorJob) {
    executor.enqueue(UnownedJob(job), for: self)
  }
}
