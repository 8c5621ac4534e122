import Synchronization

@testable import Upload

/// Clocks that stand still until a test moves them.
final class ManualTime: Sendable {
  private struct Sleeper {
    var end: Duration?
    var continuation: CheckedContinuation<Void, any Error>
  }
  private struct State {
    var now: Duration = .seconds(1000)
    var sleepers: [Int: Sleeper] = [:]
    var nextNumber = 0
    var localTime: LocalTime?
  }

  /// A stream with an element whenever a sleep begins.
  let sleeps: AsyncStream<Void>
  private let report: AsyncStream<Void>.Continuation
  private let state = Mutex(State())

  init() {
    (sleeps, report) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  var now: Duration { state.withLock { $0.now } }

  /// Whether a task sleeps without an end.
  var hasEndlessSleeper: Bool { state.withLock { $0.sleepers.values.contains { $0.end == nil } } }

  /// The wall clock's local time, if the clock is trusted.
  var localTime: LocalTime? {
    get { state.withLock { $0.localTime } }
    set { state.withLock { $0.localTime = newValue } }
  }

  /// The clocks for an uploader.
  var uploadTime: UploadTime {
    UploadTime(
      now: { self.now }, sleepUntil: { try await self.sleep(until: $0) },
      wallNanoseconds: { 1_700_000_000_000_000_000 }, localTime: { self.localTime })
  }

  /// Moves the clock and wakes the sleepers whose time has come.
  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now += duration
      let due = state.sleepers.filter { ($0.value.end ?? .seconds(Int64.max)) <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  private func sleep(until end: Duration?) async throws {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, CancellationError>? = state.withLock { state in
          guard !Task.isCancelled else { return .failure(CancellationError()) }
          // A test may have moved the clock between the decision to sleep and the sleep.
          if let end, end <= state.now { return .success(()) }
          state.sleepers[number] = Sleeper(end: end, continuation: continuation)
          return nil
        }
        if let outcome {
          continuation.resume(with: outcome)
        } else {
          report.yield(())
        }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
