import Dispatch
import Synchronization

/// A timer of ``SystemMonotonicClock``: a dispatch source that repeats with the period.
///
/// A setting to the next repetition changes nothing. So it neither allocates nor wakes the thread
/// that manages the sources.
final class KernelTimer: ClockTimer {
  private struct State {
    var source: any DispatchSourceTimer
    var repetition: Repetition?
  }

  /// The calls of a repeating timer.
  struct Repetition: Sendable, Hashable {
    /// The time of the first call.
    var start: MonotonicInstant
    /// The time between two calls, above 0.
    var period: Duration

    /// Returns whether an instant is the time of the next call after now.
    func isNext(_ instant: MonotonicInstant, after now: MonotonicInstant) -> Bool {
      let wait = now.duration(to: instant)
      let steps = start.duration(to: instant)
      return wait > .zero && (wait <= period || steps == .zero) && steps >= .zero
        && steps.wholeNanoseconds % period.wholeNanoseconds == 0
    }
  }

  private let state: Mutex<State>

  init(queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler(handler: handler)
    source.activate()
    state = Mutex(State(source: source))
  }

  deinit {
    cancel()
  }

  func set(to instant: MonotonicInstant, period: Duration?) {
    let now = SystemMonotonicClock().now
    state.withLock { state in
      if let repetition = state.repetition, repetition.period == period,
        repetition.isNext(instant, after: now)
      {
        return
      }
      state.repetition = period.map { Repetition(start: instant, period: $0) }
      // The uptime of libdispatch is CLOCK_MONOTONIC; its highest bits have another meaning.
      let uptime = UInt64(min(max(0, instant.nanoseconds), 1 << 61))
      state.source.schedule(
        deadline: DispatchTime(uptimeNanoseconds: uptime),
        repeating: period.map { .nanoseconds(Int($0.wholeNanoseconds)) } ?? .never,
        leeway: .nanoseconds(0))
    }
  }

  func cancel() {
    state.withLock { $0.source.cancel() }
  }
}
