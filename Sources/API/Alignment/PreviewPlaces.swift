import Synchronization

/// The places of viewers of the preview, limited because each size costs an encode of each frame.
final class PreviewPlaces: Sendable {
  /// A place, which is free again after its deinitialization.
  final class Place: Sendable {
    private let places: PreviewPlaces
    private let account: Caller.Account

    fileprivate init(in places: PreviewPlaces, of account: Caller.Account) {
      self.places = places
      self.account = account
    }

    deinit { places.leave(account) }
  }

  private let rule: PlaceRule
  private let held = Mutex<[Caller.Account: Int]>([:])

  /// Makes free places.
  ///
  /// - Parameters:
  ///   - maximum: the most viewers at a time.
  ///   - owners: the accounts that may hold all places.
  init(maximum: Int, owners: Set<Caller.Account> = []) {
    rule = PlaceRule(
      maximum: maximum, owners: owners, one: "viewer watches", many: "viewers watch",
      act: "watches", object: "the preview")
  }

  /// The number of viewers.
  var count: Int { held.withLock { $0.values.reduce(0, +) } }

  /// Takes a place for a caller.
  ///
  /// - Throws: ``APIError``, code `tooManyListeners`.
  func enter(_ caller: Caller) throws(APIError) -> Place {
    let account = caller.account
    let refusal = held.withLock { held -> APIError? in
      let own = held[account, default: 0]
      if let refusal = rule.refusal(of: caller, held: own, taken: held.values.reduce(0, +)) {
        return refusal
      }
      held[account] = own + 1
      return nil
    }
    if let refusal { throw refusal }
    return Place(in: self, of: account)
  }

  private func leave(_ account: Caller.Account) {
    held.withLock { held in
      let left = held[account, default: 1] - 1
      held[account] = left > 0 ? left : nil
    }
  }
}
