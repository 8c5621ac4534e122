import Devices
import Synchronization

/// A finder of callers' names that waits only briefly for a slow directory.
///
/// Names inform the readers of messages and logs only. Access is decided by the kernel's
/// credentials of a caller, with or without a name.
final class CallerNames: Sendable {
  /// The time that a connection waits for its caller's name at most.
  static let timeout = Duration.seconds(1)

  private let clock: any MonotonicClock
  private let find: @Sendable (UInt32) async -> String?
  private let memory = Mutex(NameMemory(timeout: CallerNames.timeout))
  /// The users whose names have just been learned.
  private let answers = EventHub<UInt32>()

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
    let answers = answers.listen(limit: 1, where: { $0 == user })
    let now = clock.now
    switch memory.withLock({ $0.step(for: user, at: now) }) {
    case .take(let name): return name
    case .ask: ask(user)
    case .wait: break
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in answers { return } }
      group.addTask { [clock] in try? await clock.sleep(for: Self.timeout) }
      await group.next()
      group.cancelAll()
    }
    return memory.withLock { $0.name(of: user) }
  }

  private func ask(_ user: UInt32) {
    Task {
      let name = await find(user)
      let now = clock.now
      memory.withLock { $0.learn(name, of: user, at: now) }
      answers.send(user)
    }
  }
}
