import Glibc

/// A thread that runs the tasks of idle actors itself, in place of the actors' queues.
///
/// A thread that only waits for messages and hands them on would wake a second thread with each of
/// them. A lent thread runs the receiving task up to its next wait instead, if that task has
/// ``ActorTasks`` and the actor is idle. Such a task must make no call that blocks.
///
/// The tasks run after the body that resumes them, and so under none of the body's locks.
package final class LentThread {
  /// The place of the lent thread in each thread; `nil` when the process has no place left.
  private static let place: pthread_key_t? = {
    var place = pthread_key_t()
    return pthread_key_create(&place, nil) == 0 ? place : nil
  }()

  /// The calling thread during ``run(_:)``; `nil` otherwise.
  static var current: LentThread? {
    guard let place, let thread = pthread_getspecific(place) else { return nil }
    return Unmanaged<LentThread>.fromOpaque(thread).takeUnretainedValue()
  }

  private var resumed: [DispatchQueueExecutor] = []

  package init() {}

  /// Runs a body, then the tasks of idle actors that the body or one of these tasks resumes.
  package func run<Value>(_ body: () -> Value) -> Value {
    guard let place = LentThread.place else { return body() }
    pthread_setspecific(place, Unmanaged.passUnretained(self).toOpaque())
    defer { pthread_setspecific(place, nil) }
    let value = body()
    while !resumed.isEmpty { resumed.removeFirst().runNextHere() }
    return value
  }

  /// Notes that an executor has a job of a resumed task.
  func resume(_ executor: DispatchQueueExecutor) {
    resumed.append(executor)
  }
}
