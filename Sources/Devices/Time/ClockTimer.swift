package import Dispatch
import Synchronization

/// A timer of a clock that calls a handler on a queue, again and again.
package protocol ClockTimer: Sendable {
  /// Sets the time of the next call, in place of an earlier setting.
  ///
  /// With a period, the timer may also call at its multiples after that time, until it is set
  /// otherwise.
  ///
  /// - Parameters:
  ///   - instant: the time of the next call; the call comes soon if the time has passed.
  ///   - period: the usual time between two calls, above 0, in whose steps settings cost nothing;
  ///     `nil` for a single call.
  func set(to instant: MonotonicInstant, period: Duration?)

  /// Ends the calls for good; a call that has begun may still run.
  func cancel()
}

extension MonotonicClock {
  /// Makes a timer that sleeps on the clock; nothing is called before it is set.
  package func makeTimer(
    on queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) -> any ClockTimer {
    SleepingTimer(clock: self, queue: queue, handler: handler)
  }
}

/// A timer whose task sleeps on a clock of any kind.
private final class SleepingTimer: ClockTimer {
  private struct Sleep {
    var end: MonotonicInstant
    var task: Task<Void, Never>
  }

  private struct State {
    var sleep: Sleep?
    var isCanceled = false
  }

  private let clock: any MonotonicClock
  private let queue: DispatchQueue
  private let handler: @Sendable () -> Void
  private let state = Mutex(State())

  init(
    clock: any MonotonicClock, queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) {
    self.clock = clock
    self.queue = queue
    self.handler = handler
  }

  deinit {
    cancel()
  }

  func set(to instant: MonotonicInstant, period: Duration?) {
    state.withLock { state in
      guard !state.isCanceled, state.sleep?.end != instant else { return }
      state.sleep?.task.cancel()
      state.sleep = Sleep(
        end: instant,
        task: Task { [weak self, clock] in
          do { try await clock.sleep(until: instant) } catch { return }
          self?.call(at: instant)
        })
    }
  }

  private func call(at instant: MonotonicInstant) {
    state.withLock { if $0.sleep?.end == instant { $0.sleep = nil } }
    queue.async(execute: handler)
  }

  func cancel() {
    state.withLock { state in
      state.isCanceled = true
      state.sleep?.task.cancel()
      state.sleep = nil
    }
  }
}
