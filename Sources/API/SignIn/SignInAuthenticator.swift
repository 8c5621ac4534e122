import Devices
import Hummingbird
import Synchronization

/// A store of the sessions of browsers, which outlasts the service.
///
/// The bytes hold digests alone, and no secret.
package protocol SignInStore: Sendable {
  /// Returns the bytes that were written last; `nil` for none.
  func read() async -> [UInt8]?

  /// Replaces the bytes.
  ///
  /// - Returns: whether the store has the new bytes for certain.
  func write(_ bytes: [UInt8]) async -> Bool
}

/// An authenticator with which browsers exchange a token for the secret of a session.
///
/// Each address may show ten wrong tokens at once, and one a second later on, at the sign-in and as
/// passwords together. A right token is always taken, because other people may have the same
/// address behind a proxy. A sign-in does not wait for the store.
final class SignInAuthenticator: Sendable {
  private struct State {
    var sessions = SignInSessions()
    var mistakes = RequestRate(limit: RequestRate.Limit(perSecond: 1, burst: 10))
    /// Whether the store may have sessions, which an empty list then has to replace.
    var isStoreInUse = false
  }

  /// The longest time between two writes of the ages of sessions.
  private static let savingInterval = Duration.seconds(3600)
  /// The shortest time between two writes, so that sign-ins do not occupy the disk.
  private static let shortestPause = Duration.seconds(1)
  /// The time from a failed write to the next one.
  static let retryPause = Duration.seconds(60)

  private let tokens: [AccessToken]
  private let clock: any MonotonicClock
  private let store: (any SignInStore)?
  private let state = Mutex(State())
  private let changed = WakeSignal()

  /// Makes an authenticator without sessions.
  ///
  /// - Parameters:
  ///   - tokens: the tokens of the known callers.
  ///   - clock: measures the age of sessions, and the rate of wrong tokens.
  ///   - store: keeps the sessions for the next run; `nil` for none.
  init(
    tokens: [AccessToken], clock: any MonotonicClock, store: (any SignInStore)? = nil
  ) {
    self.tokens = tokens
    self.clock = clock
    self.store = store
  }

  /// Takes the sessions of the run before, as far as the store has them.
  func restore() async {
    guard let bytes = await store?.read(),
      let kept = try? APICoding.decode([SignInSessions.Kept].self, from: bytes)
    else { return }
    let now = clock.now
    state.withLock { state in
      state.sessions.restore(kept, of: tokens, at: now)
      state.isStoreInUse = !kept.isEmpty
    }
  }

  /// Writes the sessions after each change and once an hour, until the task is canceled.
  ///
  /// A failed write is retried after a minute, so that a session that has ended does not return
  /// with the next run.
  func keepSaving() async {
    guard let store else { return }
    await withTaskCancellationHandler {
      while true {
        changed.reset()
        let isKept = await save(to: store)
        if Task.isCancelled { return }
        try? await clock.sleep(for: Self.shortestPause)
        let pause = isKept ? Self.savingInterval : Self.retryPause
        await clock.sleep(until: clock.now.advanced(by: pause), or: changed)
      }
    } onCancel: {
      changed.give()
    }
  }

  /// Writes the sessions unless neither the authenticator nor the store has any; returns `false` to retry.
  private func save(to store: any SignInStore) async -> Bool {
    let now = clock.now
    let (kept, isStoreInUse) = state.withLock { state in
      let kept = state.sessions.kept(at: now)
      // Even a failed write may have replaced what the store had.
      if !kept.isEmpty { state.isStoreInUse = true }
      return (kept, state.isStoreInUse)
    }
    guard isStoreInUse else { return true }
    guard let bytes = try? APICoding.encode(kept), await store.write(bytes) else { return false }
    state.withLock { $0.isStoreInUse = !kept.isEmpty }
    return true
  }

  /// Begins a session for the holder of a token.
  ///
  /// - Returns: the session's secret.
  /// - Throws: ``RefusedRequest``: `unauthenticated` for a wrong token, `tooManyRequests` after too
  ///   many wrong ones.
  func begin(with text: String, by caller: Caller) throws(RefusedRequest) -> String {
    let token = try token(text, shownBy: caller)
    let secret = AccessToken.makeSecret()
    let digest = AccessToken.digest(of: secret)
    let now = clock.now
    state.withLock { $0.sessions.begin(digest, of: token, at: now) }
    changed.give()
    return secret
  }

  /// Returns the token with a text, which a caller shows without a session.
  ///
  /// - Throws: ``RefusedRequest``: `unauthenticated` for a wrong token, `tooManyRequests` after too
  ///   many wrong ones.
  func token(_ text: String, shownBy caller: Caller) throws(RefusedRequest) -> AccessToken {
    guard let token = AccessToken.find(text, among: tokens) else {
      throw refusal(ofMistakeBy: caller, at: clock.now)
    }
    return token
  }

  /// Notes a wrong token, and returns the refusal.
  private func refusal(ofMistakeBy caller: Caller, at now: MonotonicInstant) -> RefusedRequest {
    if let pause = state.withLock({ $0.mistakes.admit(caller.account, at: now) }) {
      return RefusedRequest.tooOften(pause) { seconds in
        "Too many wrong tokens came from the \(caller); try again in \(seconds) s."
      }
    }
    return RefusedRequest(
      APIError(.unauthenticated, "The token is not one of this rig's."),
      headers: [.wwwAuthenticate: "Bearer realm=\"platen\""])
  }

  /// Returns the token of a session by its secret; `nil` for a session that is unknown or over.
  func token(ofSession secret: String) -> AccessToken? {
    let now = clock.now
    let digest = AccessToken.digest(of: secret)
    return state.withLock { $0.sessions.token(of: digest, among: tokens, at: now) }
  }

  /// Ends a session.
  func end(session secret: String) {
    let digest = AccessToken.digest(of: secret)
    if state.withLock({ $0.sessions.end(digest) }) { changed.give() }
  }
}
