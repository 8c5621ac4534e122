import Devices
import Synchronization
import TestSupport
import Testing

@testable import API

@Suite struct SignInSessionsTests {
  private let start = MonotonicInstant(nanoseconds: 1_000_000_000)

  private func token(_ name: String, _ permission: Permission = .act) throws -> AccessToken {
    try #require(
      AccessToken(name: name, hash: AccessToken.make().hash, permission: permission))
  }

  @Test func `a session is known by its digest alone`() throws {
    let (office, fleet) = (try token("office"), try token("fleet"))
    var sessions = SignInSessions()
    sessions.begin([1], of: office, at: start)
    sessions.begin([2], of: fleet, at: start)
    #expect(sessions.token(of: [1], among: [office, fleet], at: start) == office)
    #expect(sessions.token(of: [2], among: [office, fleet], at: start) == fleet)
    #expect(sessions.token(of: [3], among: [office, fleet], at: start) == nil)
    let ended = (sessions.end([1]), sessions.end([3]))
    #expect(ended == (true, false))
    #expect(sessions.token(of: [1], among: [office, fleet], at: start) == nil)
  }

  @Test func `a session ends a day after its last use`() throws {
    let office = try token("office")
    var sessions = SignInSessions()
    sessions.begin([1], of: office, at: start)
    var now = start
    for _ in 0..<3 {
      now = now.advanced(by: SignInSessions.idleLifetime - .seconds(1))
      #expect(sessions.token(of: [1], among: [office], at: now) == office)
    }
    now = now.advanced(by: SignInSessions.idleLifetime)
    #expect(sessions.token(of: [1], among: [office], at: now) == nil)
    #expect(sessions.count == 0)
  }

  @Test func `a session ends after its lifetime however often it is used`() throws {
    let office = try token("office")
    var sessions = SignInSessions()
    sessions.begin([1], of: office, at: start)
    var now = start
    let end = start.advanced(by: SignInSessions.lifetime)
    while now < end {
      #expect(sessions.token(of: [1], among: [office], at: now) == office)
      now = now.advanced(by: .seconds(12 * 3600))
    }
    #expect(sessions.token(of: [1], among: [office], at: now) == nil)
  }

  @Test func `a session ends when its token changes`() throws {
    let (office, other) = (try token("office"), try token("office"))
    var sessions = SignInSessions()
    sessions.begin([1], of: office, at: start)
    #expect(sessions.token(of: [1], among: [other], at: start) == nil)
    #expect(
      sessions.token(of: [1], among: [office], at: start) == nil, "it does not come back")
  }

  @Test func `a token's new session replaces its least used one`() throws {
    let (office, fleet) = (try token("office"), try token("fleet"))
    var sessions = SignInSessions()
    sessions.begin([200], of: fleet, at: start)
    for number in 0..<UInt8(SignInSessions.maximumPerToken) {
      sessions.begin([number], of: office, at: start.advanced(by: .seconds(Int(number))))
    }
    let later = start.advanced(by: .seconds(100))
    #expect(sessions.token(of: [0], among: [office], at: later) == office)
    sessions.begin([100], of: office, at: later)
    #expect(sessions.count == SignInSessions.maximumPerToken + 1)
    #expect(sessions.token(of: [1], among: [office], at: later) == nil)
    #expect(sessions.token(of: [0], among: [office], at: later) == office)
    #expect(sessions.token(of: [200], among: [office, fleet], at: later) == fleet)
  }

  @Test func `a kept session goes on in the next run with its ages`() throws {
    let (office, fleet) = (try token("office"), try token("fleet"))
    let digests = (1...2).map { [UInt8](repeating: $0, count: 32) }
    var sessions = SignInSessions()
    sessions.begin(digests[0], of: office, at: start)
    sessions.begin(digests[1], of: fleet, at: start)
    let later = start.advanced(by: SignInSessions.idleLifetime - .seconds(60))
    #expect(
      sessions.token(of: digests[0], among: [office, fleet], at: later) == office)
    // The next run begins with another boot, soon after which times are earlier.
    var next = SignInSessions()
    next.restore(sessions.kept(at: later), of: [office, fleet], at: start)
    next.restore(sessions.kept(at: later), of: [office, fleet], at: start)
    #expect(next.count == 2)
    #expect(next.token(of: digests[1], among: [office, fleet], at: start) == fleet)
    var idle = SignInSessions()
    idle.restore(sessions.kept(at: later), of: [office, fleet], at: start)
    let minute = start.advanced(by: .seconds(60))
    #expect(idle.token(of: digests[0], among: [office, fleet], at: minute) == office)
    #expect(idle.token(of: digests[1], among: [office, fleet], at: minute) == nil)
    // The lifetime counts from the first run.
    var now = minute
    for _ in 0..<100 where idle.count > 0 {
      now = now.advanced(by: .seconds(12 * 3600))
      _ = idle.token(of: digests[0], among: [office], at: now)
    }
    #expect(now < start.advanced(by: SignInSessions.lifetime))
  }

  @Test func `only whole sessions of valid tokens go on`() throws {
    let (office, changed) = (try token("office"), try token("office"))
    var sessions = SignInSessions()
    sessions.begin([UInt8](repeating: 1, count: 32), of: office, at: start)
    let kept = try #require(sessions.kept(at: start).first)
    var next = SignInSessions()
    next.restore([kept], of: [changed], at: start)
    for (digest, age, idle) in [
      ("01", 0, 0), ("zz", 0, 0), (kept.digest, -1, 0), (kept.digest, 0, .min),
      (kept.digest, .max, 0), (kept.digest, 0, 24 * 3600),
    ] as [(String, Int64, Int64)] {
      let damaged = SignInSessions.Kept(
        digest: digest, token: kept.token, tokenDigest: kept.tokenDigest, ageSeconds: age,
        idleSeconds: idle)
      next.restore([damaged], of: [office], at: start)
    }
    #expect(next.count == 0)
    let many = (16..<56).map { number in
      SignInSessions.Kept(
        digest: String(repeating: String(number, radix: 16), count: 32), token: kept.token,
        tokenDigest: kept.tokenDigest, ageSeconds: 0, idleSeconds: 0)
    }
    next.restore(many, of: [office], at: start)
    #expect(next.count == SignInSessions.maximumPerToken)
  }

  @Test func `the store gets the sessions of the last moment`() async throws {
    let made = AccessToken.make()
    let office = try #require(
      AccessToken(name: "office", hash: made.hash, permission: .read))
    let store = MemorySignInStore()
    let caller = Caller(account: .address("a"), name: nil, origin: .network(address: "a"))
    let first = SignInAuthenticator(tokens: [office], clock: ManualClock(), store: store)
    let secret = try first.begin(with: made.token, by: caller)
    func saveAtTheEnd() async {
      let saving = Task { await first.keepSaving() }
      saving.cancel()
      await saving.value
    }
    await saveAtTheEnd()
    #expect(!String(decoding: store.bytes ?? [], as: UTF8.self).contains(secret))
    let second = SignInAuthenticator(tokens: [office], clock: ManualClock(), store: store)
    #expect(second.token(ofSession: secret) == nil)
    await second.restore()
    #expect(second.token(ofSession: secret) == office)
    first.end(session: secret)
    await saveAtTheEnd()
    let third = SignInAuthenticator(tokens: [office], clock: ManualClock(), store: store)
    await third.restore()
    #expect(third.token(ofSession: secret) == nil)
    await store.write(Array("[{]".utf8))
    await third.restore()
  }

  @Test(.timeLimit(.minutes(10)))
  func `a sign-out that the store does not take is written again`() async throws {
    let made = AccessToken.make()
    let office = try #require(
      AccessToken(name: "office", hash: made.hash, permission: .read))
    let (store, clock) = (MemorySignInStore(), ManualClock())
    let caller = Caller(account: .address("a"), name: nil, origin: .network(address: "a"))
    let signIns = SignInAuthenticator(tokens: [office], clock: clock, store: store)
    let secret = try signIns.begin(with: made.token, by: caller)
    let saving = Task { await signIns.keepSaving() }
    try await eventually { store.bytes != nil }
    store.fail()
    signIns.end(session: secret)
    await clock.run(for: SignInAuthenticator.retryPause)
    try await eventually { store.failures > 0 }
    store.recover()
    await clock.run(for: SignInAuthenticator.retryPause * 2)
    try await eventually { store.bytes == Array("[]".utf8) }
    saving.cancel()
    await saving.value
    let next = SignInAuthenticator(tokens: [office], clock: clock, store: store)
    await next.restore()
    #expect(next.token(ofSession: secret) == nil)
  }

  @Test func `wrong tokens are limited and right ones are not`() throws {
    let made = AccessToken.make()
    let office = try #require(
      AccessToken(name: "office", hash: made.hash, permission: .read))
    let clock = ManualClock()
    let signIns = SignInAuthenticator(tokens: [office], clock: clock)
    func code(_ text: String, from address: String) -> APIError.Code? {
      let caller = Caller(
        account: .address(address), name: nil, origin: .network(address: address))
      do throws(RefusedRequest) {
        let secret = try signIns.begin(with: text, by: caller)
        #expect(signIns.token(ofSession: secret) == office)
        return nil
      } catch {
        return error.error.code
      }
    }
    for _ in 0..<100 { #expect(code(made.token, from: "a") == nil) }
    for _ in 0..<10 { #expect(code("wrong", from: "a") == .unauthenticated) }
    #expect(code("wrong", from: "a") == .tooManyRequests)
    #expect(code(made.token, from: "a") == nil, "somebody else behind the same proxy")
    #expect(code("wrong", from: "b") == .unauthenticated)
    clock.advance(by: .seconds(1))
    #expect(code("wrong", from: "a") == .unauthenticated)
    #expect(code("wrong", from: "a") == .tooManyRequests)
  }
}

/// A store of sign-ins in memory.
final class MemorySignInStore: SignInStore {
  private struct State {
    var bytes: [UInt8]?
    var isFailing = false
    var failures = 0
  }

  private let state = Mutex(State())

  /// The bytes that were written last.
  var bytes: [UInt8]? { state.withLock { $0.bytes } }
  /// The number of writes that failed.
  var failures: Int { state.withLock { $0.failures } }

  /// Has the writes fail from now on.
  func fail() { state.withLock { $0.isFailing = true } }

  /// Has the writes succeed from now on.
  func recover() { state.withLock { $0.isFailing = false } }

  func read() async -> [UInt8]? { bytes }

  @discardableResult func write(_ bytes: [UInt8]) async -> Bool {
    state.withLock { state in
      if state.isFailing { state.failures += 1 } else { state.bytes = bytes }
      return !state.isFailing
    }
  }
}
