import Devices
import Synchronization

/// Encoders for several tasks at once: one picture with all cores, or several pictures with fewer.
///
/// Work starts in the order of arrival and runs on the pool's own queues, never on the shared
/// thread pool. ``EncodeSchedule`` distributes the cores.
package final class EncoderPool: Sendable {
  /// Blocking work with an encoder and the number of threads that it may use.
  package typealias Work<Success> = @Sendable (PhotoEncoder, Int) throws -> Success

  /// An encoder and the number of threads that it may use.
  private struct Turn: Sendable {
    var lane: EncoderLane
    var stripeCount: Int
  }

  private struct State {
    var schedule: EncodeSchedule
    /// The idle encoders; the one that worked last is taken first, because its memory is warm.
    var resting: [EncoderLane] = []
    var waiting: [CheckedContinuation<Turn, Never>] = []

    /// Gives turns to those that wait.
    mutating func beginWaiting() {
      while let stripeCount = schedule.begin(waitingCount: waiting.count) {
        let lane = resting.popLast() ?? EncoderLane()
        waiting.removeFirst().resume(returning: Turn(lane: lane, stripeCount: stripeCount))
      }
    }
  }

  private let state: Mutex<State>

  /// Makes a pool, whose encoders are made on demand.
  ///
  /// - Parameter coreCount: the number of cores for encoding; less than 1 counts as 1.
  package init(coreCount: Int) {
    state = Mutex(State(schedule: EncodeSchedule(coreCount: coreCount)))
  }

  /// The number of pictures that wait for a core.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Runs work with an encoder as soon as its turn comes.
  ///
  /// The work is not canceled with the waiting task, so that every picture that was taken is made.
  ///
  /// - Throws: ``ImagingError`` when there is no encoder, or the error of the work.
  package func perform<Success: Sendable>(_ work: @escaping Work<Success>) async throws -> Success {
    let turn = await nextTurn()
    defer {
      state.withLock { state in
        state.schedule.end(stripeCount: turn.stripeCount)
        state.resting.append(turn.lane)
        state.beginWaiting()
      }
    }
    return try await turn.lane.run(work, stripeCount: turn.stripeCount)
  }

  /// Waits for a turn, which the caller has to end.
  ///
  /// The function is separate because Swift 6.2.3 cannot optimize a continuation in a generic one.
  private func nextTurn() async -> Turn {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        state.waiting.append(continuation)
        state.beginWaiting()
      }
    }
  }
}

/// An encoder on its own queue.
private actor EncoderLane {
  private let executor = DispatchQueueExecutor(label: "platen.encoder")
  private var encoder: PhotoEncoder?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run<Success: Sendable>(
    _ work: EncoderPool.Work<Success>, stripeCount: Int
  ) throws -> Success {
    let encoder = try self.encoder ?? PhotoEncoder()
    self.encoder = encoder
    return try work(encoder, stripeCount)
  }
}
