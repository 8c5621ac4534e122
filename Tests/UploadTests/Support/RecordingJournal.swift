import Synchronization

@testable import Upload

/// A journal in memory that records what it is told, and fails when it is told to.
final class RecordingJournal: DeliveryJournal {
  private struct State {
    var kept: [ResumeState?] = []
    var progress: [DeliveryProgress] = []
  }

  private let state = Mutex(State())
  private let failsAfter: Int

  /// Makes a journal.
  ///
  /// - Parameter failsAfter: how many states can be kept.
  init(failsAfter: Int = .max) { self.failsAfter = failsAfter }

  /// What was kept, in order.
  var kept: [ResumeState?] { state.withLock { $0.kept } }

  /// What the next attempt would be given.
  var last: ResumeState? { kept.last ?? nil }

  /// The numbers of bytes that were noted, in order.
  var bytesSent: [Int64] { state.withLock { $0.progress.compactMap(\.bytesSent) } }

  func keep(_ resumeState: ResumeState?) async throws(DeliveryFailure) {
    let isFull = state.withLock { state in
      guard state.kept.count < failsAfter else { return true }
      state.kept.append(resumeState)
      return false
    }
    if isFull {
      throw DeliveryFailure(.queueFailed, scope: .target, text: "the journal is full")
    }
  }

  func note(_ progress: DeliveryProgress) {
    state.withLock { $0.progress.append(progress) }
  }
}
