/// Detects when successive numbers have stopped changing.
struct StableValues: Sendable, Hashable {
  /// The number of successive sets that must agree, 2 or more.
  let count: Int
  /// The maximum difference between agreeing numbers, as a share of the largest.
  let tolerance: Double
  private var recent: [[Double]] = []

  init(count: Int, tolerance: Double) {
    self.count = max(2, count)
    self.tolerance = tolerance
  }

  /// Whether the last ``count`` sets of numbers agree.
  var isStable: Bool {
    guard recent.count == count, let first = recent.first else { return false }
    return first.indices.allSatisfy { index in
      let values = recent.map { $0[index] }
      guard let least = values.min(), let most = values.max() else { return false }
      return most - least <= tolerance * max(abs(most), abs(least))
    }
  }

  /// Takes the next set; a set without numbers, or with a different count of them, restarts.
  mutating func add(_ values: [Double]?) {
    guard let values, values.allSatisfy(\.isFinite) else {
      recent = []
      return
    }
    if values.count != recent.first?.count { recent = [] }
    recent.append(values)
    if recent.count > count { recent.removeFirst() }
  }
}
