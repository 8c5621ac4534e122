/// The newest values of a sequence, limited in number and in bytes.
package struct NewestValues<Value: Sendable>: Sendable {
  private let maximumCount: Int
  private let maximumBytes: Int
  /// The kept values, after the places of forgotten ones, which are removed from time to time.
  private var places: [(value: Value, bytes: Int)?] = []
  /// The index of the oldest kept value.
  private var start = 0
  private var bytes = 0

  /// Makes an empty memory.
  ///
  /// - Parameters:
  ///   - maximumCount: the number of values that are kept, 1 or more.
  ///   - maximumBytes: the bytes of the values that are kept.
  package init(maximumCount: Int, maximumBytes: Int) {
    self.maximumCount = max(1, maximumCount)
    self.maximumBytes = maximumBytes
  }

  /// The number of kept values.
  package var count: Int { places.count - start }

  /// The kept values, the oldest first.
  package var all: [Value] { newest(count) }

  /// Returns the newest values, the oldest of them first.
  ///
  /// - Complexity: O(number of values returned).
  package func newest(_ count: Int) -> [Value] { places.suffix(count).compactMap { $0?.value } }

  /// Adds a value, and forgets the oldest ones when there are too many.
  ///
  /// - Complexity: O(1) amortized.
  package mutating func append(_ value: Value, bytes count: Int) {
    places.append((value: value, bytes: count))
    bytes += count
    while self.count > maximumCount || bytes > maximumBytes {
      bytes -= places[start]?.bytes ?? 0
      places[start] = nil
      start += 1
    }
    if start > maximumCount / 4 {
      places.removeFirst(start)
      start = 0
    }
  }
}
