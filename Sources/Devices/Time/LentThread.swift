import Glibc

/// The threads that run the tasks of an idle actor themselves, in place of the actor's queue.
///
/// A thread that only waits for messages and hands them on would wake a second thread with each of
/// them. A lent thread runs the receiving task up to its next wait instead, if that task has
/// ``ActorTasks`` and the actor is idle. Such a task must make no call that blocks.
package enum LentThread {
  /// The place of the mark in each thread; `nil` when the process has no place left.
  private static let mark: pthread_key_t? = {
    var mark = pthread_key_t()
    return pthread_key_create(&mark, nil) == 0 ? mark : nil
  }()

  /// Lends the calling thread for good; it may hold no lock when it resumes a task.
  package static func lendCurrent() {
    guard let mark else { return }
    pthread_setspecific(mark, UnsafeRawPointer(bitPattern: 1))
  }

  /// Whether the calling thread has been lent.
  static var isCurrent: Bool {
    guard let mark else { return false }
    return pthread_getspecific(mark) != nil
  }
}
