import Devices
import Synchronization

/// A round of readings of several devices, which ends with the last answer or after a time limit.
///
/// All devices of a round share one sleep, and a round in time makes no allocation.
final class ReadingRound: Sendable {
  /// The time that an answer may take: the kernel's attributes are read in milliseconds.
  static let limit = Duration.seconds(2)

  private struct State {
    var number: UInt64 = 0
    var openCount = 0
  }

  private let clock: any MonotonicClock
  private let state = Mutex(State())
  private let wake = WakeSignal()

  /// Makes rounds, of which none has begun.
  ///
  /// - Parameter clock: the clock that measures the limit.
  init(clock: any MonotonicClock) {
    self.clock = clock
  }

  /// The number of the present round; 0 before the first.
  var number: UInt64 { state.withLock { $0.number } }

  /// The number of questions of the round without an answer.
  var openCount: Int { state.withLock { $0.openCount } }

  /// Begins a round; answers to older rounds do not count.
  func begin() {
    state.withLock { state in
      state.number += 1
      state.openCount = 0
    }
  }

  /// Notes a question, and returns the number of its round.
  func asked() -> UInt64 {
    state.withLock { state in
      state.openCount += 1
      return state.number
    }
  }

  /// Notes the answer to a question of a round.
  func answered(_ number: UInt64) {
    let isOver = state.withLock { state in
      guard number == state.number else { return false }
      state.openCount -= 1
      return state.openCount == 0
    }
    if isOver { wake.give() }
  }

  /// Waits for the answers to all questions of the round, at most for ``limit``.
  ///
  /// A canceled task waits, too: the limit is short, and the answers are needed.
  func end() async {
    let deadline = clock.now.advanced(by: Self.limit)
    while clock.now < deadline {
      // The signal may still be that of an older round.
      wake.reset()
      if openCount == 0 { return }
      await clock.sleep(until: deadline, or: wake)
    }
  }
}
