// With optimization, the compiler takes `timespec` for a type of this module.
import CFileCalls
package import Dispatch
import Glibc

/// A source of ``MonotonicInstant``s that can also wait, injected wherever time matters.
package protocol MonotonicClock: Sendable {
  /// The present instant.
  var now: MonotonicInstant { get }

  /// Waits until an instant.
  ///
  /// - Throws: `CancellationError` when the task is canceled first.
  func sleep(until instant: MonotonicInstant) async throws

  /// Waits until an instant or a signal, even in a canceled task.
  func sleep(until instant: MonotonicInstant, or signal: WakeSignal) async

  /// Makes a timer that calls a handler on a queue; nothing is called before it is set.
  func makeTimer(
    on queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) -> any ClockTimer
}

extension MonotonicClock {
  /// Waits for a duration from now.
  ///
  /// - Throws: `CancellationError` when the task is canceled first.
  package func sleep(for duration: Duration) async throws {
    try await sleep(until: now.advanced(by: duration))
  }

  /// Waits until an instant or a signal by a task that sleeps on a clock of any kind.
  package func sleep(until instant: MonotonicInstant, or signal: WakeSignal) async {
    await signal.wait { _ = try? await sleep(until: instant) }
  }

  /// Waits until the next multiple of a period since boot.
  ///
  /// Loops that wait in this way wake at the same instants, so that an idle processor sleeps on.
  ///
  /// - Throws: `CancellationError` when the task is canceled first.
  package func sleep(untilNext period: Duration) async throws {
    try await sleep(until: now.next(period))
  }
}

/// The kernel's `CLOCK_MONOTONIC`, read with `clock_gettime`.
package struct SystemMonotonicClock: MonotonicClock {
  /// Makes the clock; all of its values read the same kernel clock.
  package init() {}

  /// The present instant of `CLOCK_MONOTONIC`.
  package var now: MonotonicInstant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Waits until an instant; returns soon when it has passed.
  ///
  /// - Throws: `CancellationError` when the task is canceled first.
  package func sleep(until instant: MonotonicInstant) async throws {
    try await SleepQueue.shared.sleep(until: instant)
  }

  /// Waits until an instant or a signal, without an allocation.
  package func sleep(until instant: MonotonicInstant, or signal: WakeSignal) async {
    await SleepQueue.shared.sleep(until: instant, or: signal)
  }

  /// Makes a timer that costs no allocation as long as its calls keep their period.
  package func makeTimer(
    on queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) -> any ClockTimer {
    KernelTimer(queue: queue, handler: handler)
  }
}
