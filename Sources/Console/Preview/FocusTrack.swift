/// The sharpness that was seen so far.
public struct FocusTrack: Sendable, Hashable {
  /// The last figure, 0...1; `nil` before the first.
  public private(set) var now: Double?
  /// The best figure; `nil` before the first.
  public private(set) var best: Double?

  /// Begins with nothing seen.
  public init() {}

  /// Takes a figure; what is no number does not count.
  public mutating func add(_ figure: Double) {
    guard figure.isFinite else { return }
    now = figure
    best = max(best ?? figure, figure)
  }

  /// The last figure against the best, 0...1; 0 when nothing sharp was seen.
  public var share: Double {
    guard let now, let best, best > 0 else { return 0 }
    return now / best
  }

  /// A bar of so many columns, as full as the last figure is near to the best.
  public func bar(_ columns: Int) -> String {
    let full = min(max(Int((share * Double(columns)).rounded()), 0), columns)
    return String(repeating: "#", count: full) + String(repeating: "-", count: columns - full)
  }
}
