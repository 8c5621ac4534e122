/// The search for the word that somebody probably meant.
enum NearestWord {
  /// The word with the fewest changed letters, if those are at most a third of it.
  static func of(_ word: String, in candidates: [String]) -> String? {
    guard word.unicodeScalars.count <= 64 else { return nil }
    let distances = candidates.map { ($0, distance(word, $0)) }
    guard let nearest = distances.min(by: { $0.1 < $1.1 }) else { return nil }
    // A part of the word counts as near: "password" for "password_file".
    if nearest.1 <= max(1, nearest.0.count / 3) { return nearest.0 }
    return word.count < 3 ? nil : candidates.first { $0.hasPrefix(word) }
  }

  /// Letters to insert, remove, change or swap with their neighbour (optimal string alignment).
  static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first.unicodeScalars)
    let b = Array(second.unicodeScalars)
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
