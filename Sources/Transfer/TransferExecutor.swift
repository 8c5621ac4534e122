import Dispatch

/// The serial executor of one client, on a dispatch queue of its own.
///
/// Transfers block; on the shared pool, of as many threads as the machine has cores, a few stalled
/// servers would stop everything else.
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
