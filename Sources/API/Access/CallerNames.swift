import Devices
import Synchronization

/// Names for callers; a directory that does not answer holds nobody up.
///
/// A name is for those who read it. Nothing is decided by one: who may do what goes by what the
/// kernel says of a caller, with a name and without.
final class CallerNames: Sendable {
  /// How long a connection waits for the name of who made it.
  static let patience = Duration.seconds(1)

  private struct State {
    var memory = NameMemory(patience: CallerNames.patience)
    /// Who waits for the name of a user.
    var waiting: [UInt32: [AsyncStream<Void>.Continuation]] = [:]
  }

  private let clock: any MonotonicClock
  private let find: @Sendable (UInt32) async -> String?
  private let state = Mutex(State())

  /// Takes who is asked.
  ///
  /// - Parameters:
  ///   - clock: what waiting and the age of a name are measured by.
  ///   - find: says the name of a user, however long that takes; `nil` when there is none.
  init(clock: any MonotonicClock, find: @escaping @Sendable (UInt32) async -> String?) {
    self.clock = clock
    self.find = find
  }

  /// A caller with its name, where it has one that is found in time.
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
      try? await clock.sleep(for: Self.patience)
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
