import Synchronization

@testable import Upload

/// A journal in memory that records its calls, and fails on demand.
final class RecordingJournal: DeliveryJournal {
  private struct State {
    var kept: [ResumeState?] = []
    var progress: [DeliveryProgress] = []
    var remarks: [String] = []
  }

  private let state = Mutex(State())
  private let failsAfter: Int

  /// Makes a journal.
  ///
  /// - Parameter failsAfter: the number of states that can be kept.
  init(failsAfter: Int = .max) { self.failsAfter = failsAfter }

  /// The kept states, in order.
  var kept: [ResumeState?] { state.withLock { $0.kept } }

  /// The state that the next attempt would get.
  var last: ResumeState? { kept.last ?? nil }

  /// The numbers of bytes that were noted, in order.
  var bytesSent: [Int64] { state.withLock { $0.progress.compactMap(\.bytesSent) } }

  /// The remarks, in order.
  var remarks: [String] { state.withLock { $0.remarks } }

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

  func remark(_ text: String) {
    state.withLock { $0.remarks.append(text) }
  }
}
