/// Gives out press numbers that no earlier run has given out.
///
/// Numbers are reserved durably in small blocks before use. A crash leaves a gap, never a
/// repetition, and a press does not wait for the disk.
package actor PressNumbers {
  private let blockSize: Int
  private let reserve: @Sendable (Int) async throws -> Range<Int64>
  private var available: [Range<Int64>] = []
  private var refill: Task<Void, any Error>?

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
    if available.isEmpty, refill == nil { _ = startRefill() }
  }

  /// Takes the next number; waits for the disk only when the reserve is used up.
  ///
  /// - Throws: the error of the reservation.
  package func next() async throws -> Int64 {
    while available.isEmpty {
      try await refillOnce()
    }
    let number = available[0].lowerBound
    available[0] = (number + 1)..<available[0].upperBound
    if available[0].isEmpty { available.removeFirst() }
    if available.count <= 1, (available.first?.count ?? 0) <= blockSize / 2, refill == nil {
      _ = startRefill()
    }
    return number
  }

  private func refillOnce() async throws {
    let task = refill ?? startRefill()
    try await task.value
  }

  private func startRefill() -> Task<Void, any Error> {
    let task = Task {
      defer { refill = nil }
      let block = try await reserve(blockSize)
      if !block.isEmpty { available.append(block) }
    }
    refill = task
    return task
  }
}
