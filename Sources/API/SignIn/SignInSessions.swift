import Devices
import Digests

/// The sign-ins of browsers, each with the token that it was made with, as a value.
///
/// A session is kept under the SHA-256 of its secret. A session ends after a day without a use, 30
/// days after its beginning, and with its token. The least used session of a token makes room for a
/// new one, so the number is bounded for each token. ``Kept`` carries a session to the next run of
/// the service.
struct SignInSessions: Sendable {
  private struct Session {
    let token: AccessToken
    let began: MonotonicInstant
    var used: MonotonicInstant

    func isOver(at now: MonotonicInstant) -> Bool {
      used.duration(to: now) >= SignInSessions.idleLifetime
        || began.duration(to: now) >= SignInSessions.lifetime
    }
  }

  /// The time without a request after which a session ends.
  static let idleLifetime = Duration.seconds(24 * 3600)
  /// The longest time of a session.
  static let lifetime = Duration.seconds(30 * 24 * 3600)
  /// The most sessions of one token.
  static let maximumPerToken = 16

  private var sessions: [[UInt8]: Session] = [:]

  /// The number of sessions that are kept, some of which may be over.
  var count: Int { sessions.count }

  /// Begins a session.
  ///
  /// - Parameter digest: the SHA-256 of the session's secret.
  /// - Complexity: O(sessions).
  mutating func begin(_ digest: [UInt8], of token: AccessToken, at now: MonotonicInstant) {
    sessions = sessions.filter { !$0.value.isOver(at: now) }
    let own = sessions.filter { $0.value.token.name == token.name }
    if own.count >= Self.maximumPerToken,
      let oldest = own.min(by: { $0.value.used < $1.value.used })
    {
      sessions[oldest.key] = nil
    }
    sessions[digest] = Session(token: token, began: now, used: now)
  }

  /// Returns the token of a session and notes its use.
  ///
  /// - Parameter tokens: the tokens that are valid now.
  /// - Returns: `nil` for a session that is unknown or over, or whose token has changed.
  mutating func token(
    of digest: [UInt8], among tokens: [AccessToken], at now: MonotonicInstant
  ) -> AccessToken? {
    guard let session = sessions[digest] else { return nil }
    guard !session.isOver(at: now), tokens.contains(session.token) else {
      sessions[digest] = nil
      return nil
    }
    sessions[digest]?.used = now
    return session.token
  }

  /// Ends a session, and returns whether there was one.
  mutating func end(_ digest: [UInt8]) -> Bool { sessions.removeValue(forKey: digest) != nil }
}

extension SignInSessions {
  /// A session as it outlasts the service; its ages count only while the service runs.
  struct Kept: Sendable, Hashable, Codable {
    /// The SHA-256 of the session's secret in hexadecimal digits.
    let digest: String
    /// The name of the token.
    let token: String
    /// The SHA-256 of the token in hexadecimal digits.
    let tokenDigest: String
    /// The time since the session began.
    let ageSeconds: Int64
    /// The time since the session was last used.
    let idleSeconds: Int64
  }

  /// Returns the sessions that are not over, for the next run of the service.
  func kept(at now: MonotonicInstant) -> [Kept] {
    sessions.filter { !$0.value.isOver(at: now) }.map { digest, session in
      Kept(
        digest: digest.hexadecimal, token: session.token.name,
        tokenDigest: session.token.digest.hexadecimal,
        ageSeconds: session.began.duration(to: now).components.seconds,
        idleSeconds: session.used.duration(to: now).components.seconds)
    }
  }

  /// Takes the sessions of an earlier run, those of the valid tokens alone.
  mutating func restore(
    _ earlier: [Kept], of tokens: [AccessToken], at now: MonotonicInstant
  ) {
    for kept in earlier.sorted(by: { $0.idleSeconds < $1.idleSeconds }) {
      let limit = Self.lifetime.components.seconds
      guard (0..<limit).contains(kept.ageSeconds), (0..<limit).contains(kept.idleSeconds),
        let digest = [UInt8](hexadecimal: kept.digest), digest.count == 32,
        let token = tokens.first(where: {
          $0.name == kept.token && $0.digest.hexadecimal == kept.tokenDigest
        }), sessions[digest] == nil,
        sessions.values.count(where: { $0.token.name == token.name }) < Self.maximumPerToken
      else { continue }
      let session = Session(
        token: token, began: now.advanced(by: .seconds(-kept.ageSeconds)),
        used: now.advanced(by: .seconds(-kept.idleSeconds)))
      if !session.isOver(at: now) { sessions[digest] = session }
    }
  }
}
