import CFileCalls
import Dispatch
import Glibc
import Synchronization

/// The sleeps on the kernel's monotonic clock, which share one timer and the thread that waits.
///
/// `Task.sleep` makes a dispatch source for each sleep, with eight allocations. A sleep here only
/// takes a place in a list. A setting of the timer wakes no thread, and its time wakes one. A
/// dispatch source would wake the manager of all sources both times, and then a worker.
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
    /// The kernel's timer (`timerfd_create`), whose reading waits until its time has come.
    let timer = CFileCalls_makeTimer(CLOCK_MONOTONIC, O_CLOEXEC)

    /// Adds a sleeper, and sets the timer to its end if that is the earliest.
    mutating func add(_ sleeper: Sleeper) {
      let index = sleepers.firstIndex { $0.end > sleeper.end } ?? sleepers.endIndex
      sleepers.insert(sleeper, at: index)
      if index == 0 { setTimer(to: sleeper.end) }
    }

    /// Removes the first sleeper if its time is over; else sets the timer to its end.
    mutating func takeFirst(by now: MonotonicInstant) -> UnsafeContinuation<Bool, Never>? {
      guard let end = sleepers.first?.end else { return nil }
      guard end <= now else {
        setTimer(to: end)
        return nil
      }
      return sleepers.removeFirst().task
    }

    private func setTimer(to end: MonotonicInstant) {
      // The time 0 would stop the timer.
      _ = CFileCalls_setTimer(timer, max(1, end.nanoseconds))
    }
  }

  private let state = Mutex(State())

  private init() {
    // The queue has a thread of its own for as long as the process runs.
    DispatchQueue(label: "platen.clock").async { [self] in keepTime() }
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
          state.add(Sleeper(id: id, end: end, task: task))
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
        state.add(Sleeper(id: id, end: end, task: task))
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

  /// Wakes the sleepers whose time is over, sets the timer to the next end and waits for it.
  private func keepTime() {
    let clock = SystemMonotonicClock()
    let timer = state.withLock { $0.timer }
    var expirations: UInt64 = 0
    while true {
      while let sleeper = state.withLock({ $0.takeFirst(by: clock.now) }) {
        sleeper.resume(returning: true)
      }
      let count = read(timer, &expirations, MemoryLayout<UInt64>.size)
      // Without a descriptor for the timer, the sleepers are looked at again and again.
      if count < 0, errno != EINTR { usleep(10_000) }
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
