/// A search for the words that a mistyped word may have meant.
package enum NearWords {
  /// Returns up to three similar words, the nearest first.
  ///
  /// A similar word begins with the typed text or differs by a third of its letters at most.
  package static func of(_ typed: String, among words: [String]) -> [String] {
    let typed = typed.lowercased()
    // A word this long is no typing error, and the comparison would be slow.
    guard !typed.isEmpty, typed.unicodeScalars.count <= 64 else { return [] }
    let limit = max(1, (typed.count + 2) / 3)
    let rated = words.enumerated().compactMap { index, word -> (Int, Int, String)? in
      let distance = word.hasPrefix(typed) ? 0 : distance(typed, word)
      return distance <= limit ? (distance, index, word) : nil
    }
    return rated.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(3).map(\.2)
  }

  /// Returns the number of letters to add, remove, replace or swap with a neighbor.
  ///
  /// Only the first 64 letters count.
  ///
  /// - Complexity: O(n·m).
  package static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (
      Array(one.unicodeScalars.prefix(64)), Array(other.unicodeScalars.prefix(64))
    )
    var before: [Int] = []
    var last = Array(0...other.count)
    for i in one.indices {
      var row = [i + 1]
      for j in other.indices {
        var cost = min(last[j + 1], row[j]) + 1
        cost = min(cost, last[j] + (one[i] == other[j] ? 0 : 1))
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
          cost = min(cost, before[j - 1] + 1)
        }
        row.append(cost)
      }
      (before, last) = (last, row)
    }
    return last[other.count]
  }
}
