import Dispatch

/// The serial executor of a client, on a separate dispatch queue.
///
/// Transfers block. The shared pool has as many threads as the machine has cores, so a few stalled
/// servers would stop all other work.
final class TransferExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
