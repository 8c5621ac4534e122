import Synchronization

/// The queue of presses for the ledger; any thread may enter a press without waiting for the disk.
final class PressIntake: Sendable {
  private let queue: Mutex<PressQueue>

  init(limit: Int = 4096) { queue = Mutex(PressQueue(limit: limit)) }

  var isEmpty: Bool { queue.withLock { $0.isEmpty } }
  var count: Int { queue.withLock { $0.count } }
  var entries: [Int64: PressEntry] { queue.withLock { $0.entries } }
  var inFlight: Set<Int64> { queue.withLock { $0.inFlight } }
  var unwrittenLosses: Int { queue.withLock { $0.unwrittenLosses } }

  func enter(_ entry: PressEntry) { queue.withLock { $0.enter(entry) } }
  func enter(_ edges: LostEdges) { queue.withLock { $0.enter(edges) } }

  func take(_ count: Int, isOwnCommit: Bool) -> PressQueue.Batch {
    queue.withLock { $0.take(count, isOwnCommit: isOwnCommit) }
  }
  func written(_ batch: PressQueue.Batch) {
    if !batch.isEmpty { queue.withLock { $0.written(batch) } }
  }
  func stored(_ number: Int64) { queue.withLock { $0.stored(number) } }
  func putBack(_ batch: PressQueue.Batch, isFull: Bool) {
    if !batch.isEmpty { queue.withLock { $0.putBack(batch, isFull: isFull) } }
  }
}
