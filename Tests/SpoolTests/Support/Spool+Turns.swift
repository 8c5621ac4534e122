@testable import Spool

extension Spool {
  /// Stores a picture and counts the calls that had the spool between the request and the store.
  ///
  /// The request comes while this call has the spool, so that no other call comes before it.
  func callsBeforeStoring(_ item: NewItem) async throws -> Int {
    let asked = callNumber()
    let storing = Task {
      let begun = callNumber()
      _ = try await store(item)
      return begun
    }
    return try await Int(storing.value - asked - 1)
  }

  /// Begins a call and asks for a picture to be stored at once, both in this order.
  ///
  /// - Parameters:
  ///   - item: the picture.
  ///   - call: the call, which is to give way.
  /// - Returns: the result of the call, the number of turns of the spool from its beginning to its
  ///   end, and the counts after the store.
  func storing<Value: Sendable>(
    _ item: NewItem, during call: @escaping @Sendable (isolated Spool) async throws -> Value
  ) async throws -> (value: Value, turns: Int, counts: SpoolCounts) {
    let calling = Task {
      let begun = callNumber()
      let value = try await call(self)
      return (value, Int(callNumber() - begun + 1))
    }
    let storing = Task {
      _ = try await store(item)
      return try self.counts()
    }
    let stored = try await storing.value
    let (value, turns) = try await calling.value
    return (value, turns, stored)
  }
}
