/// Says of numbers that come one after the other whether they have come to rest.
struct StableValues: Sendable, Hashable {
  /// How many in a row must agree, 2 or more.
  let count: Int
  /// By how much they may differ: a share of the largest.
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

  /// Takes the next set; one without numbers, or with others than before, begins anew.
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
