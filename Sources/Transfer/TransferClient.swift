package import Devices

/// A client that makes blocking calls on a thread of its own.
package protocol TransferClient: Actor {
  /// The preference of tasks that run on the client's thread, and change no thread for a request.
  ///
  /// A task with this preference waits while a request of another task runs.
  nonisolated var tasks: ActorTasks { get }
}
