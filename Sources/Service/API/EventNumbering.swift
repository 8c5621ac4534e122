import API
import Devices
import Synchronization

/// The consecutive numbering of the rig's events.
///
/// A lost event leaves a gap in the numbers, so that listeners notice the loss.
actor EventNumbering {
  private let continuation: AsyncStream<RigEvent>.Continuation
  private let clock: any MonotonicClock
  private let lost = Mutex<UInt64>(0)
  private let turns = Mutex<UInt64>(0)
  private var id: UInt64 = 0
  /// The turn of the newest report on the rotation that was sent.
  private var rotationTurn: UInt64 = 0

  /// Makes a numbering with the stream that gets the events and the clock that stamps them.
  init(_ continuation: AsyncStream<RigEvent>.Continuation, clock: any MonotonicClock) {
    self.continuation = continuation
    self.clock = clock
  }

  /// Counts an event as lost; does not wait.
  nonisolated func lose() { lost.withLock { $0 += 1 } }

  /// Returns the next turn, to be taken before the reported state is read; does not wait.
  nonisolated func turn() -> UInt64 {
    turns.withLock { turn in
      turn += 1
      return turn
    }
  }

  /// Sends the next event.
  ///
  /// Two tasks report the rotation. The report with the later turn supersedes the earlier one,
  /// which is not sent after it.
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
