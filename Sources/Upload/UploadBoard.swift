import Synchronization

/// What an uploader shows to others: its status, and events to any number of readers.
final class UploadBoard: Sendable {
  /// How many events a reader may be behind before it loses the oldest.
  static let eventBufferCount = 256

  private struct State {
    var status = UploadStatus(activity: .stopped)
    var waitEnd: Duration = .zero
    var readers: [Int: AsyncStream<DeliveryEvent>.Continuation] = [:]
    var nextReader = 0
  }

  private let now: @Sendable () -> Duration
  private let state = Mutex(State())

  init(now: @escaping @Sendable () -> Duration) {
    self.now = now
  }

  /// The status, with the remaining time as it is now.
  var status: UploadStatus {
    var (status, end) = state.withLock { ($0.status, $0.waitEnd) }
    if case .waiting(_, let scope, let reason) = status.activity {
      status.activity = .waiting(
        remaining: max(.zero, end - now()), scope: scope, reason: reason)
    }
    return status
  }

  /// Shows an activity that does not end at a certain time.
  func show(_ activity: UploadStatus.Activity) {
    state.withLock { $0.status.activity = activity }
  }

  /// Shows a wait.
  func showWait(until end: Duration, for failure: DeliveryFailure) {
    state.withLock {
      $0.waitEnd = end
      $0.status.activity = .waiting(
        remaining: .zero, scope: failure.scope, reason: failure)
    }
  }

  /// Counts an event and gives it to the readers.
  func post(_ event: DeliveryEvent) {
    let readers = state.withLock { state in
      switch event {
      case .began: break
      case .completed(_, let receipt):
        state.status.deliveredCount += 1
        if receipt.isDuplicate { state.status.duplicateCount += 1 }
      case .failed: state.status.failureCount += 1
      }
      return Array(state.readers.values)
    }
    for reader in readers {
      if case .dropped = reader.yield(event) {
        state.withLock { $0.status.droppedEventCount += 1 }
      }
    }
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
      state.status.activity = .stopped
      defer { state.readers = [:] }
      return Array(state.readers.values)
    }
    for reader in readers { reader.finish() }
  }
}
