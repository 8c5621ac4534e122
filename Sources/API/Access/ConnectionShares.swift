import Synchronization

/// The number of connections of each account, limited so that no account holds them all.
final class ConnectionShares: Sendable {
  /// The most connections that one account may have.
  let limit: Int
  private let counts = Mutex<[Caller.Account: Int]>([:])

  /// Makes shares without any connections.
  ///
  /// - Parameter limit: the most connections that one account may have, 1 or more.
  init(limit: Int) { self.limit = max(1, limit) }

  /// Takes one more connection for an account.
  ///
  /// - Returns: whether the account may have one more; ``leave(_:)`` must follow then.
  func enter(_ account: Caller.Account) -> Bool {
    counts.withLock { counts in
      guard counts[account, default: 0] < limit else { return false }
      counts[account, default: 0] += 1
      return true
    }
  }

  /// Gives a connection back.
  func leave(_ account: Caller.Account) {
    counts.withLock { counts in
      let left = counts[account, default: 1] - 1
      counts[account] = left > 0 ? left : nil
    }
  }
}
