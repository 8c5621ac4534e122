@testable import Spool

extension Spool {
  /// Stores a picture and counts the calls that had the spool between the request and the store.
  ///
  /// The request comes while this call has the spool, so that no time passes between both counts.
  func turnsBeforeStoring(_ item: NewItem) async throws -> Int {
    let asked = callNumber()
    let storing = Task {
      let begun = callNumber()
      _ = try await store(item)
      return begun
    }
    return Int(try await storing.value - asked - 1)
  }
}
