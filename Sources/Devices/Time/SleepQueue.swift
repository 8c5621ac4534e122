import Dispatch
import Synchronization

/// The sleeps on the kernel's monotonic clock, which share one timer.
///
/// `Task.sleep` makes a dispatch source for each sleep, with eight allocations. A sleep here only
/// takes a place in a list.
final class SleepQueue: Sendable {
  /// The queue of this process.
  static let shared = SleepQueue()

  private struct Sleeper {
    var id: UInt64
    var end: MonotonicInstant
    /// Resumed with whether the sleep's time is over; unchecked, because the check allocates.
    var task: UnsafeContinuation<Bool, Never>
  }

  private struct State {
    /// The sleepers, ascending by their ends.
    var sleepers: [Sleeper] = []
    var lastID: UInt64 = 0
    var timer: KernelTimer?

    /// Removes the first sleeper if its time is over; else sets the timer to its end.
    mutating func takeFirst(by now: MonotonicInstant) -> UnsafeContinuation<Bool, Never>? {
      guard let end = sleepers.first?.end else { return nil }
      guard end <= now else {
        timer?.set(to: end, period: nil)
        return nil
      }
      return sleepers.removeFirst().task
    }
  }

  private let state = Mutex(State())

  private init() {
    let timer = KernelTimer(queue: DispatchQueue(label: "platen.clock")) { [weak self] in
      self?.wakeSleepers()
    }
    state.withLock { $0.timer = timer }
  }

  /// Sleeps until an instant.
  ///
  /// - Throws: `CancellationError` when the task is canceled first.
  func sleep(until end: MonotonicInstant) async throws {
    let id = makeID()
    let isOver = await withTaskCancellationHandler {
      await withUnsafeContinuation { task in
        let isCanceled = state.withLock { state in
          // The cancellation is looked at under the lock, so that its handler finds the sleeper.
          guard !Task.isCancelled else { return true }
          add(Sleeper(id: id, end: end, task: task), to: &state)
          return false
        }
        if isCanceled { task.resume(returning: false) }
      }
    } onCancel: {
      cancel(id)
    }
    guard isOver else { throw CancellationError() }
  }

  /// Sleeps until an instant or a signal, even in a canceled task.
  func sleep(until end: MonotonicInstant, or signal: WakeSignal) async {
    let id = makeID()
    signal.enter(.sleeper(id))
    _ = await withUnsafeContinuation { (task: UnsafeContinuation<Bool, Never>) in
      let isAwake = state.withLock { state in
        // The signal is looked at under the lock, so that whoever gives it finds the sleeper.
        guard !signal.isGiven else { return true }
        add(Sleeper(id: id, end: end, task: task), to: &state)
        return false
      }
      if isAwake { task.resume(returning: false) }
    }
    signal.leave()
  }

  private func makeID() -> UInt64 {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  private func add(_ sleeper: Sleeper, to state: inout State) {
    let index = state.sleepers.firstIndex { $0.end > sleeper.end } ?? state.sleepers.endIndex
    state.sleepers.insert(sleeper, at: index)
    if index == 0 { state.timer?.set(to: sleeper.end, period: nil) }
  }

  /// Wakes the sleepers whose time is over, and sets the timer to the next end.
  private func wakeSleepers() {
    let clock = SystemMonotonicClock()
    while let sleeper = state.withLock({ $0.takeFirst(by: clock.now) }) {
      sleeper.resume(returning: true)
    }
  }

  /// Wakes a sleeper before its time; does nothing when it does not sleep.
  func cancel(_ id: UInt64) {
    let sleeper = state.withLock { state in
      state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0).task }
    }
    sleeper?.resume(returning: false)
  }
}
