import API
import Synchronization

/// The running verifications of the spool, and the progress of the newest one.
final class VerificationRuns: Sendable {
  private struct State {
    var running = 0
    var newest = 0
    var rows = 0
    var hashedBytes: Int64 = 0
  }

  private let state = Mutex(State())

  /// Returns the progress of the newest verification; zero before the first one.
  ///
  /// - Parameter bytes: the total size of the pictures on the disk in bytes.
  func progress(of bytes: Int64) -> SpoolVerificationProgress {
    state.withLock { state in
      SpoolVerificationProgress(
        isRunning: state.running > 0, rows: state.rows, hashedBytes: state.hashedBytes,
        bytes: bytes)
    }
  }

  /// Notes the start of a verification.
  ///
  /// - Returns: the verification's number.
  func begin() -> Int {
    state.withLock { state in
      state = State(running: state.running + 1, newest: state.newest + 1)
      return state.newest
    }
  }

  /// Notes the progress of a verification.
  func advance(_ number: Int, rows: Int, hashedBytes: Int64) {
    state.withLock { state in
      guard number == state.newest else { return }
      state.rows = rows
      state.hashedBytes = hashedBytes
    }
  }

  /// Notes the end of a verification.
  func end() { state.withLock { $0.running -= 1 } }
}
