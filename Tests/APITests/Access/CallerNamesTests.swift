import Devices
import Synchronization
import TestSupport
import Testing

@testable import API

/// A directory that does not answer neither locks callers out nor lets them in.
@Suite(.timeLimit(.minutes(10))) struct CallerNamesTests {
  private let clock = ManualClock()

  private func peer(_ user: UInt32) -> PeerCredentials {
    PeerCredentials(userID: user, groupIDs: [user, 7], processID: 42)
  }

  @Test func `a name is looked up once`() async {
    let asked = Mutex<[UInt32]>([])
    let names = CallerNames(clock: clock) { user in
      asked.withLock { $0.append(user) }
      return "user\(user)"
    }
    for _ in 1...3 {
      for user in [1000, 1001] as [UInt32] {
        #expect(await names.caller(peer(user)).name == "user\(user)")
      }
    }
    #expect(asked.withLock(\.self) == [1000, 1001])
    clock.advance(by: NameMemory.lifetime)
    #expect(await names.caller(peer(1000)).name == "user1000")
    #expect(asked.withLock(\.self) == [1000, 1001, 1000])
  }

  @Test func `a dead directory does not keep callers waiting for long`() async throws {
    let (gate, release) = AsyncStream.makeStream(of: Void.self)
    let names = CallerNames(clock: clock) { user in
      for await _ in gate {}
      return "user\(user)"
    }
    async let first = names.caller(peer(1000))
    async let second = names.caller(peer(1000))
    await clock.untilSleepers(2)
    clock.advance(by: CallerNames.timeout)
    for caller in [await first, await second] {
      #expect(caller == Caller(peer(1000), name: nil))
      #expect(caller.groupIDs == [1000, 7])
    }
    // Other callers do not even wait that long: the clock stands still.
    for user in [0, 1000, 2000] as [UInt32] {
      let caller = await names.caller(peer(user))
      #expect(caller == Caller(peer(user), name: nil))
    }
    release.finish()
    try await eventually { await names.caller(peer(1000)).name == "user1000" }
  }

  /// A caller's permissions are the same with its name and without.
  @Test func `a name does not affect permissions`() {
    let policy = AccessPolicy(
      readers: AccessPolicy.Accounts(groups: [7]), operators: AccessPolicy.Accounts(users: [1000]),
      serviceUser: 990)
    for (user, mayAct) in [(1000, true), (1001, false)] as [(UInt32, Bool)] {
      for name in [nil, "root", "user\(user)"] {
        let caller = Caller(peer(user), name: name)
        #expect(policy.permits(.read, to: caller))
        #expect(policy.permits(.act, to: caller) == mayAct)
      }
    }
  }
}
