/// The history of the measured sharpness.
package struct FocusTrack: Sendable, Hashable {
  /// The last sharpness, 0...1; `nil` before the first.
  package private(set) var now: Double?
  /// The best sharpness; `nil` before the first.
  package private(set) var best: Double?

  package init() {}

  /// Adds a sharpness; ignores one that is not finite.
  package mutating func add(_ figure: Double) {
    guard figure.isFinite else { return }
    now = figure
    best = max(best ?? figure, figure)
  }

  /// The ratio of the last sharpness to the best, 0...1; 0 if nothing sharp was seen.
  package var share: Double {
    guard let now, let best, best > 0 else { return 0 }
    return now / best
  }

  /// Returns a bar with the given number of columns, filled in proportion to the share.
  package func bar(_ columns: Int) -> String {
    let full = min(max(Int((share * Double(columns)).rounded()), 0), columns)
    return String(repeating: "#", count: full) + String(repeating: "-", count: columns - full)
  }
}
