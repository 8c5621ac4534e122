import Devices
import Synchronization

/// A finder of callers' names that waits only briefly for a slow directory.
///
/// Names inform the readers of messages and logs only. Access is decided by the kernel's
/// credentials of a caller, with or without a name.
final class CallerNames: Sendable {
  /// The time that a connection waits for its caller's name at most.
  static let timeout = Duration.seconds(1)

  private struct State {
    var memory = NameMemory(timeout: CallerNames.timeout)
    /// The connections that wait for a name, by the user's number.
    var waiting: [UInt32: [AsyncStream<Void>.Continuation]] = [:]
  }

  private let clock: any MonotonicClock
  private let find: @Sendable (UInt32) async -> String?
  private let state = Mutex(State())

  /// Makes a finder that uses a lookup in the directory.
  ///
  /// - Parameters:
  ///   - clock: measures the waiting and the age of names.
  ///   - find: returns the name of a user, however long that takes; `nil` when there is none.
  init(clock: any MonotonicClock, find: @escaping @Sendable (UInt32) async -> String?) {
    self.clock = clock
    self.find = find
  }

  /// Returns a caller, with its name when the name is found in time.
  func caller(_ peer: PeerCredentials) async -> Caller {
    Caller(peer, name: await name(of: peer.userID))
  }

  private func name(of user: UInt32) async -> String? {
    let (answers, answered) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingOldest(1))
    let now = clock.now
    let step = state.withLock { state in
      let step = state.memory.step(for: user, at: now)
      if step.isWaiting { state.waiting[user, default: []].append(answered) }
      return step
    }
    switch step {
    case .take(let name): return name
    case .ask: ask(user)
    case .wait: break
    }
    let limit = Task {
      try? await clock.sleep(for: Self.timeout)
      answered.finish()
    }
    defer { limit.cancel() }
    for await _ in answers {}
    return state.withLock { $0.memory.name(of: user) }
  }

  private func ask(_ user: UInt32) {
    Task {
      let name = await find(user)
      let now = clock.now
      let waiting = state.withLock { state in
        state.memory.learn(name, of: user, at: now)
        return state.waiting.removeValue(forKey: user) ?? []
      }
      for answered in waiting { answered.finish() }
    }
  }
}
