import Synchronization

/// Gives out press numbers that no earlier run has given out.
///
/// Numbers are reserved durably in small blocks before use. A crash leaves a gap, never a
/// repetition, and a press does not wait for the disk.
package final class PressNumbers: Sendable {
  private struct State {
    var available: [Range<Int64>] = []
    var refill: Task<Void, any Error>?

    mutating func takeNumber() -> Int64? {
      guard let number = available.first?.lowerBound else { return nil }
      available[0] = (number + 1)..<available[0].upperBound
      if available[0].isEmpty { available.removeFirst() }
      return number
    }
  }

  private let blockSize: Int
  private let reserve: @Sendable (Int) async throws -> Range<Int64>
  private let state = Mutex(State())

  /// Makes a source of numbers.
  ///
  /// - Parameters:
  ///   - blockSize: the number of press numbers reserved at a time, 1 or more.
  ///   - reserve: reserves that many numbers on stable storage and returns them.
  package init(
    blockSize: Int = 64, reserve: @escaping @Sendable (Int) async throws -> Range<Int64>
  ) {
    self.blockSize = blockSize
    self.reserve = reserve
  }

  /// Begins to reserve numbers, so that the first press need not wait for the disk.
  package func prepare() {
    state.withLock { state in
      if state.available.isEmpty { _ = beginRefill(&state) }
    }
  }

  /// Takes the next number; waits for the disk only when the reserve is used up.
  ///
  /// - Throws: the error of the reservation.
  package func next() async throws -> Int64 {
    while true {
      let (number, refill) = state.withLock { (state) -> (Int64?, Task<Void, any Error>?) in
        let number = state.takeNumber()
        let isLow =
          state.available.count <= 1 && (state.available.first?.count ?? 0) <= blockSize / 2
        return (number, isLow ? beginRefill(&state) : nil)
      }
      if let number { return number }
      try await refill?.value
    }
  }

  /// Returns the running reservation, or begins one.
  private func beginRefill(_ state: inout State) -> Task<Void, any Error> {
    if let refill = state.refill { return refill }
    let task = Task {
      let result: Result<Range<Int64>, any Error>
      do { result = .success(try await reserve(blockSize)) } catch { result = .failure(error) }
      self.state.withLock { state in
        state.refill = nil
        if case .success(let block) = result, !block.isEmpty { state.available.append(block) }
      }
      _ = try result.get()
    }
    state.refill = task
    return task
  }
}
