import Devices
import Synchronization

/// The public view of an uploader: its status, and events for any number of readers.
///
/// The uploader and its deliveries write to the board, which may be read from anywhere.
final class UploadBoard: Sendable {
  /// The shortest time between two progress events of an item.
  static let progressSpacing = Duration.milliseconds(250)

  private struct State {
    var isRunning = false
    var deliveries: [UploadStatus.Delivery] = []
    var lastProgress: [String: Duration] = [:]
    var snapshot = UploadStateMachine.Snapshot()
    var counters = UploadStatus.Counters()
    var lastReceipt: (receipt: Receipt, instant: Duration)?
  }

  /// The events for all readers.
  let events = EventHub<DeliveryEvent>()
  private let now: @Sendable () -> Duration
  private let state = Mutex(State())

  init(now: @escaping @Sendable () -> Duration) {
    self.now = now
  }

  /// The status, with the remaining times as of now.
  var status: UploadStatus {
    let now = now()
    return state.withLock { state in
      var status = UploadStatus()
      status.isRunning = state.isRunning
      status.deliveries = state.deliveries
      status.counters = state.counters
      state.snapshot.show(in: &status, at: now)
      status.lastReceipt = state.lastReceipt?.receipt
      status.lastReceiptAge = state.lastReceipt.map { now - $0.instant }
      return status
    }
  }

  /// Shows the uploader's decisions.
  func show(_ snapshot: UploadStateMachine.Snapshot) {
    state.withLock { $0.snapshot = snapshot }
  }

  /// Shows that the uploader runs.
  func start() {
    state.withLock { $0.isRunning = true }
  }

  /// Shows a delivery that begins.
  func began(_ delivery: PendingDelivery) {
    state.withLock {
      $0.deliveries.append(
        UploadStatus.Delivery(
          id: delivery.id, remoteName: delivery.remoteName, attempt: delivery.attempts + 1,
          byteCount: delivery.byteCount, progress: DeliveryProgress()))
    }
    events.send(
      .began(
        id: delivery.id, remoteName: delivery.remoteName, attempt: delivery.attempts + 1,
        metadata: delivery.metadata))
  }

  /// Shows a delivery's progress; the delivery may have ended meanwhile.
  func note(_ progress: DeliveryProgress, of id: String) {
    let now = now()
    let isNews = state.withLock { state in
      guard let index = state.deliveries.firstIndex(where: { $0.id == id }) else { return false }
      state.deliveries[index].progress = progress
      if let last = state.lastProgress[id], now - last < Self.progressSpacing { return false }
      state.lastProgress[id] = now
      return true
    }
    if isNews { events.send(.progressed(id: id, progress)) }
  }

  /// Shows that a delivery has ended, in whatever way.
  func ended(_ id: String) {
    state.withLock { state in
      state.deliveries.removeAll { $0.id == id }
      state.lastProgress[id] = nil
    }
  }

  /// Counts a failed attempt, and tells the readers the time until the retry.
  func failed(
    _ id: String, _ failure: DeliveryFailure, attempts: Int, _ verdict: UploadStateMachine.Verdict
  ) {
    state.withLock { $0.counters.failures += 1 }
    if case .retried(let wait) = verdict {
      events.send(.failed(id: id, failure: failure, attempts: attempts, nextAttemptIn: wait))
    }
  }

  /// Counts a parked item, and tells the readers.
  func parked(_ id: String, _ failure: DeliveryFailure, attempts: Int) {
    state.withLock { $0.counters.parked += 1 }
    events.send(.parked(id: id, failure: failure, attempts: attempts))
  }

  /// Tells the readers that an item has left the queue when it was to be parked.
  func left(_ id: String, _ failure: DeliveryFailure, attempts: Int) {
    events.send(.failed(id: id, failure: failure, attempts: attempts, nextAttemptIn: nil))
  }

  /// Counts an item whose receipt is committed, and tells the readers.
  func completed(_ id: String, _ receipt: Receipt, byteCount: Int64) {
    let now = now()
    state.withLock { state in
      state.counters.delivered += 1
      if receipt.isDuplicate {
        state.counters.duplicates += 1
      } else {
        state.counters.bytes += byteCount
      }
      state.lastReceipt = (receipt, now)
    }
    events.send(.completed(id: id, receipt: receipt))
  }

  /// Ends the streams of all readers.
  func finish() {
    state.withLock { $0.isRunning = false }
    events.finish()
  }
}
