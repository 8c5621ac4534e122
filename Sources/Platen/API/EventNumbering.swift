import API
import Devices
import Synchronization

/// Numbers what changes on the rig, one after the other.
///
/// What was lost on the way here leaves a gap in the numbers, so that listeners are told.
actor EventNumbering {
  private let continuation: AsyncStream<RigEvent>.Continuation
  private let clock: any MonotonicClock
  private let lost = Mutex<UInt64>(0)
  private let turns = Mutex<UInt64>(0)
  private var id: UInt64 = 0
  /// The turn of the newest report on the rotation that was sent.
  private var rotationTurn: UInt64 = 0

  /// Takes where the events go, and the clock that they are stamped by.
  init(_ continuation: AsyncStream<RigEvent>.Continuation, clock: any MonotonicClock) {
    self.continuation = continuation
    self.clock = clock
  }

  /// Notes an event that never comes; waits for nothing.
  nonisolated func lose() { lost.withLock { $0 += 1 } }

  /// Gives out the next turn, to be had before what is sent is read; waits for nothing.
  nonisolated func turn() -> UInt64 {
    turns.withLock { turn in
      turn += 1
      return turn
    }
  }

  /// Sends the next event.
  ///
  /// How the rotation is, two tasks report. Of two reports the one with the later turn says
  /// everything that the other one was for; the other one is not sent any more after it.
  func send(_ payload: RigEvent.Payload, turn: UInt64) {
    if case .rotation = payload {
      guard turn > rotationTurn else { return }
      rotationTurn = turn
    }
    id += 1
    id += lost.withLock { count in
      defer { count = 0 }
      return count
    }
    continuation.yield(RigEvent(id: id, timeNanoseconds: clock.now.nanoseconds, payload: payload))
  }
}
