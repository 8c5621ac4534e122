import Devices
import Synchronization

/// A count of the output that waits to be shown, and of the skipped lines.
///
/// Lines are skipped only for commands that follow events, because events arrive regardless of the
/// terminal's speed. After the first skipped line no more are accepted until all waiting output is
/// shown. The result is one gap with a known number of lines.
final class OutputBacklog: Sendable {
  /// The most waiting pieces of a command that follows events.
  static let limit = 1000

  private struct State {
    var waiting = 0
    var leftOut = 0
  }

  private let limit: Int?
  private let state = Mutex(State())

  /// Creates an empty backlog.
  ///
  /// - Parameter limit: the most waiting pieces; `nil` for output without gaps.
  init(limit: Int? = nil) { self.limit = limit }

  /// Returns whether a piece with this number of lines may wait; otherwise counts them as skipped.
  func takes(_ lineCount: Int) -> Bool {
    state.withLock { state in
      if let limit, state.leftOut > 0 || state.waiting >= limit {
        state.leftOut += lineCount
        return false
      }
      state.waiting += 1
      return true
    }
  }

  /// Notes that a piece was shown.
  ///
  /// - Returns: the number of lines skipped after the piece; zero while others wait.
  func noteShown() -> Int {
    state.withLock { state in
      state.waiting -= 1
      guard state.waiting == 0 else { return 0 }
      let leftOut = state.leftOut
      state.leftOut = 0
      return leftOut
    }
  }

  /// Returns the notice about a gap.
  static func notice(_ lineCount: Int) -> String {
    "\(lineCount.counted("line was", "lines were")) left out, the line is too slow."
  }
}
