import Synchronization

/// The state of a command's interruption, and of the output that it cut.
final class Interruption: Sendable {
  private struct State {
    var hasCome = false
    var isWriting = false
    var isCut = false
    var hasDropped = false
  }

  private let state = Mutex(State())

  /// Whether the interruption has come.
  var hasCome: Bool { state.withLock { $0.hasCome } }

  /// Whether the terminal may have been left in the middle of a line.
  var isCut: Bool { state.withLock { $0.isCut } }

  /// Whether lines of the command were dropped.
  var hasDropped: Bool { state.withLock { $0.hasDropped } }

  /// Notes whether lines are being written.
  func noteWriting(_ isWriting: Bool) { state.withLock { $0.isWriting = isWriting } }

  /// Notes the interruption.
  ///
  /// - Parameter isBehind: whether the terminal still has much output queued.
  /// - Returns: whether to drop the terminal's queued output.
  func come(isBehind: Bool) -> Bool {
    state.withLock { state in
      guard !state.hasCome else { return false }
      state.hasCome = true
      state.isCut = isBehind || state.isWriting
      return state.isCut
    }
  }

  /// Notes a dropped line.
  ///
  /// - Returns: whether the line was the first dropped one.
  func noteDropped() -> Bool {
    state.withLock { state in
      defer { (state.isCut, state.hasDropped) = (true, true) }
      return !state.hasDropped
    }
  }
}

/// A running command and the handling of its output.
struct CommandRun: Sendable {
  let manner: CommandManner
  let task: Task<Int32, Never>
  let backlog: OutputBacklog
  let interruption: Interruption
}
