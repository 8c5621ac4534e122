import Devices

/// The rule by which callers share a limited number of places.
///
/// An account gets another place only while more places are free than it holds. The first account
/// may thus hold half of the places, and a later account still finds some.
struct PlaceRule: Sendable {
  /// The most places that are taken at a time.
  let maximum: Int
  /// The accounts that may hold all places.
  let owners: Set<Caller.Account>
  /// The use of a place in words, for example `listener receives`, `listeners receive`, `receives`.
  let one: String, many: String, act: String
  /// The object of the use, for example `events`.
  let object: String

  /// Returns the reason why a caller gets no place; `nil` when it gets one.
  ///
  /// - Parameters:
  ///   - held: the number of places that the caller has.
  ///   - taken: the number of places that all callers have.
  func refusal(of caller: Caller, held: Int, taken: Int) -> APIError? {
    let free = maximum - taken
    guard free > 0 else {
      return APIError(
        .tooManyListeners,
        "\(maximum.counted(one, many)) \(object) already; close one of them and try again.")
    }
    guard !owners.contains(caller.account), held >= free else { return nil }
    return APIError(
      .tooManyListeners,
      "The \(caller) \(act) \(object) \(held.counted("time")) already, and the other "
        + "\(free.counted("place is", "places are")) left to others; close one of yours and try "
        + "again.")
  }
}
