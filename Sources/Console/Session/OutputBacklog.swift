import Synchronization

/// How much of what a command says waits to be shown, and how much was left out.
///
/// Only lines of what follows events are ever left out, because those come whether they can be shown
/// or not. Nothing more is taken then until all that waits is shown: there is one gap, with a number.
final class OutputBacklog: Sendable {
  /// How many pieces of what follows events may wait.
  static let limit = 1000

  private struct State {
    var waiting = 0
    var leftOut = 0
  }

  private let limit: Int?
  private let state = Mutex(State())

  /// Begins with nothing.
  ///
  /// - Parameter limit: how many pieces may wait; `nil` for what must be whole.
  init(limit: Int? = nil) { self.limit = limit }

  /// Whether a piece of so many lines may wait; otherwise they are counted.
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

  /// A piece was shown.
  ///
  /// - Returns: how many lines were left out behind it; zero while others wait.
  func noteShown() -> Int {
    state.withLock { state in
      state.waiting -= 1
      guard state.waiting == 0 else { return 0 }
      let leftOut = state.leftOut
      state.leftOut = 0
      return leftOut
    }
  }

  /// What is said of a gap.
  static func notice(_ lineCount: Int) -> String {
    lineCount == 1
      ? "1 line was left out, the line is too slow."
      : "\(lineCount) lines were left out, the line is too slow."
  }
}
