import API
import Synchronization

/// The verifications of the spool that run, and how far the newest one is.
final class VerificationRuns: Sendable {
  private struct State {
    var running = 0
    var newest = 0
    var rows = 0
    var hashedBytes: Int64 = 0
  }

  private let state = Mutex(State())

  /// How far the newest one is; nothing before the first.
  ///
  /// - Parameter bytes: how many bytes the pictures have that are on the disk.
  func progress(of bytes: Int64) -> SpoolVerificationProgress {
    state.withLock { state in
      SpoolVerificationProgress(
        isRunning: state.running > 0, rows: state.rows, hashedBytes: state.hashedBytes,
        bytes: bytes)
    }
  }

  /// Notes that one begins.
  ///
  /// - Returns: its number.
  func begin() -> Int {
    state.withLock { state in
      state = State(running: state.running + 1, newest: state.newest + 1)
      return state.newest
    }
  }

  /// Notes how far one is.
  func advance(_ number: Int, rows: Int, hashedBytes: Int64) {
    state.withLock { state in
      guard number == state.newest else { return }
      state.rows = rows
      state.hashedBytes = hashedBytes
    }
  }

  /// Notes that one has ended.
  func end() { state.withLock { $0.running -= 1 } }
}
