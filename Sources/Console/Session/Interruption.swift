import Synchronization

/// Whether a command was interrupted, and whether that has cut what it was saying.
final class Interruption: Sendable {
  private struct State {
    var hasCome = false
    var isWriting = false
    var isCut = false
    var hasDropped = false
  }

  private let state = Mutex(State())

  /// Whether it has come.
  var hasCome: Bool { state.withLock { $0.hasCome } }

  /// Whether the terminal may have been left in the middle of a line.
  var isCut: Bool { state.withLock { $0.isCut } }

  /// Whether lines were dropped that had been said already.
  var hasDropped: Bool { state.withLock { $0.hasDropped } }

  /// Notes whether lines are being written just now.
  func noteWriting(_ isWriting: Bool) { state.withLock { $0.isWriting = isWriting } }

  /// It comes.
  ///
  /// - Parameter isBehind: whether the terminal has much to send still.
  /// - Returns: whether what the terminal has to send is to be dropped.
  func come(isBehind: Bool) -> Bool {
    state.withLock { state in
      guard !state.hasCome else { return false }
      state.hasCome = true
      state.isCut = isBehind || state.isWriting
      return state.isCut
    }
  }

  /// A line was dropped.
  ///
  /// - Returns: whether it was the first.
  func noteDropped() -> Bool {
    state.withLock { state in
      defer { (state.isCut, state.hasDropped) = (true, true) }
      return !state.hasDropped
    }
  }
}

/// A command that runs, and what becomes of what it says.
struct CommandRun: Sendable {
  let manner: CommandManner
  let task: Task<Int32, Never>
  let backlog: OutputBacklog
  let interruption: Interruption
}
