import Synchronization

/// The public view of an uploader: its status, and events for any number of readers.
///
/// The uploader and its deliveries write to the board, which may be read from anywhere.
final class UploadBoard: Sendable {
  /// The number of events that a reader may be behind before it loses the oldest.
  static let eventBufferCount = 256
  /// The shortest time between two progress events of an item.
  static let progressSpacing = Duration.milliseconds(250)

  private struct State {
    var isRunning = false
    var deliveries: [UploadStatus.Delivery] = []
    var lastProgress: [String: Duration] = [:]
    var snapshot = UploadStateMachine.Snapshot()
    var counters = UploadStatus.Counters()
    var lastReceipt: (receipt: Receipt, instant: Duration)?
    var readers: [Int: AsyncStream<DeliveryEvent>.Continuation] = [:]
    var nextReader = 0
  }

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
    post(
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
    if isNews { post(.progressed(id: id, progress)) }
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
      post(.failed(id: id, failure: failure, attempts: attempts, nextAttemptIn: wait))
    }
  }

  /// Counts a parked item, and tells the readers.
  func parked(_ id: String, _ failure: DeliveryFailure, attempts: Int) {
    state.withLock { $0.counters.parked += 1 }
    post(.parked(id: id, failure: failure, attempts: attempts))
  }

  /// Tells the readers that an item has left the queue when it was to be parked.
  func left(_ id: String, _ failure: DeliveryFailure, attempts: Int) {
    post(.failed(id: id, failure: failure, attempts: attempts, nextAttemptIn: nil))
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
    post(.completed(id: id, receipt: receipt))
  }

  /// Returns a stream of the events from now on.
  func events() -> AsyncStream<DeliveryEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: DeliveryEvent.self, bufferingPolicy: .bufferingNewest(Self.eventBufferCount))
    let number = state.withLock { state in
      state.nextReader += 1
      state.readers[state.nextReader] = continuation
      return state.nextReader
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.readers[number] = nil }
    }
    return stream
  }

  /// Ends the streams of all readers.
  func finish() {
    let readers = state.withLock { state in
      state.isRunning = false
      defer { state.readers = [:] }
      return Array(state.readers.values)
    }
    for reader in readers { reader.finish() }
  }

  private func post(_ event: DeliveryEvent) {
    let readers = state.withLock { Array($0.readers.values) }
    for reader in readers {
      if case .dropped = reader.yield(event) {
        state.withLock { $0.counters.droppedEvents += 1 }
      }
    }
  }
}
