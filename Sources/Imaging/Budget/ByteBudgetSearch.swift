/// The search for the quality at which a picture's file has the wanted size, in few tries.
///
/// The search is a value without an encoder. Its user encodes with ``quality`` and records the
/// size. The search ends even if the size does not grow with the quality everywhere.
package struct ByteBudgetSearch: Sendable, Hashable {
  /// The position of the chosen file relative to the budget.
  package enum Fit: String, Sendable, Hashable, Codable {
    /// The file is within the budget.
    case inside
    /// The file is below the budget, because a better quality would exceed it or is not allowed.
    case below
    /// The file is above the budget, because even the lowest allowed quality exceeds it.
    case above
  }

  /// A quality that was tried.
  package struct Try: Sendable, Hashable {
    /// The quality, 1...100.
    package let quality: Int
    /// The size of the file in bytes.
    package let byteCount: Int
  }

  /// The wanted size of the file, in bytes.
  package let budget: ClosedRange<Int>
  /// The part of the budget to aim at, in bytes.
  package let aim: ClosedRange<Int>
  /// The allowed qualities.
  package let qualities: ClosedRange<Int>
  /// The maximum number of tries, at least 2.
  package let maximumTries: Int
  /// The tries so far, in their order.
  package private(set) var tries: [Try] = []
  /// The quality to try next; `nil` when the search has ended.
  package private(set) var quality: Int?
  private let slope: Double
  /// Whether nothing was known of the picture; then a first miss of the aim gets one more try.
  private let isBlind: Bool

  /// Starts a search.
  ///
  /// - Parameters:
  ///   - budget: the wanted size of the file, in bytes.
  ///   - aim: the part of the budget to aim at, `nil` for all of it; a file elsewhere in the budget
  ///     gets one more try.
  ///   - quality: the quality of the first try, which is moved into `qualities`.
  ///   - qualities: the allowed qualities, within 1...100.
  ///   - maximumTries: the maximum number of tries; less than 2 counts as 2.
  package init(
    budget: ClosedRange<Int>, aim: ClosedRange<Int>? = nil, startingAt quality: Int,
    qualities: ClosedRange<Int> = JPEGQuality.budgetQualities, maximumTries: Int = 6
  ) {
    self.init(
      budget: budget, aim: aim, startingAt: quality, qualities: qualities,
      maximumTries: maximumTries, slope: QualitySizeRelation.typicalSlope, isBlind: true)
  }

  /// Starts a search from the relation that the previous picture has shown.
  init(
    budget: ClosedRange<Int>, aim: ClosedRange<Int>? = nil, after last: QualitySizeRelation,
    qualities: ClosedRange<Int> = JPEGQuality.budgetQualities, maximumTries: Int = 6
  ) {
    // A quality that met the budget is kept, unless the size was close to the edge.
    let inner = Self.inner(aim ?? budget)
    let quality =
      inner.contains(last.point.byteCount)
      ? last.point.quality : last.quality(for: Self.target(aim ?? budget))
    self.init(
      budget: budget, aim: aim, startingAt: quality, qualities: qualities,
      maximumTries: maximumTries, slope: last.slope, isBlind: false)
  }

  private init(
    budget: ClosedRange<Int>, aim: ClosedRange<Int>?, startingAt quality: Int,
    qualities: ClosedRange<Int>, maximumTries: Int, slope: Double, isBlind: Bool
  ) {
    self.isBlind = isBlind

    self.budget = budget
    self.aim = aim?.clamped(to: budget) ?? budget
    self.qualities = qualities.clamped(to: JPEGEncoder.qualities)
    self.maximumTries = max(2, maximumTries)
    self.slope = slope
    self.quality = min(max(quality, self.qualities.lowerBound), self.qualities.upperBound)
  }

  /// Records the size of the file of ``quality``.
  ///
  /// Does nothing when the search has ended.
  package mutating func record(byteCount: Int) {
    guard let tried = quality else { return }
    tries.append(Try(quality: tried, byteCount: byteCount))
    quality = nextQuality
  }

  /// The best try: within the budget, else the largest size below it, else the smallest size.
  package var best: Try? {
    tries.first { aim.contains($0.byteCount) }
      ?? tries.first { budget.contains($0.byteCount) }
      ?? tries.filter { $0.byteCount < budget.lowerBound }.max { $0.byteCount < $1.byteCount }
      ?? tries.min { $0.byteCount < $1.byteCount }
  }

  /// The position of the best try relative to the budget; `nil` before the first try.
  package var fit: Fit? {
    best.map { best in
      best.byteCount > budget.upperBound
        ? .above : best.byteCount < budget.lowerBound ? .below : .inside
    }
  }

  /// The relation that the tries show, for the next picture.
  var relation: QualitySizeRelation? {
    guard let best = best.map(Self.point) else { return nil }
    let other = tries.map(Self.point).filter { $0.quality != best.quality }
      .min { abs($0.quality - best.quality) < abs($1.quality - best.quality) }
    return other.map { QualitySizeRelation(best, $0, otherwise: slope) }
      ?? QualitySizeRelation(best, slope: slope)
  }

  private var nextQuality: Int? {
    if fit == .inside { return isBlind && tries.count == 1 ? nearerQuality : nil }
    guard tries.count < maximumTries else { return nil }
    let small = tries.filter { $0.byteCount < budget.lowerBound }.max { $0.quality < $1.quality }
    let large = tries.filter { $0.byteCount > budget.upperBound }.min { $0.quality < $1.quality }
    let lowest = small.map { $0.quality + 1 } ?? qualities.lowerBound
    let highest = large.map { $0.quality - 1 } ?? qualities.upperBound
    guard lowest <= highest else { return nil }
    // If every size was too large, the last try takes the lowest quality.
    if small == nil, tries.count == maximumTries - 1 { return lowest }
    let near = [small, large].compactMap { $0 }.map(Self.point)
    let relation: QualitySizeRelation
    if near.count == 2 {
      relation = QualitySizeRelation(near[0], near[1], otherwise: slope)
    } else {
      let others = tries.map(Self.point).filter { $0.quality != near[0].quality }
      relation =
        others.last.map { QualitySizeRelation(near[0], $0, otherwise: slope) }
        ?? QualitySizeRelation(near[0], slope: slope)
    }
    return min(max(relation.quality(for: Self.target(aim)), lowest), highest)
  }

  /// The quality that should meet the aim after a first try elsewhere in the budget.
  private var nearerQuality: Int? {
    guard let tried = best, !aim.contains(tried.byteCount) else { return nil }
    let wanted = QualitySizeRelation(Self.point(tried), slope: slope)
      .quality(for: Self.target(aim))
    let quality = min(max(wanted, qualities.lowerBound), qualities.upperBound)
    return quality == tried.quality ? nil : quality
  }

  /// Returns the size to aim at: the geometric mean of both ends of the budget.
  static func target(_ budget: ClosedRange<Int>) -> Int {
    Int((Double(max(budget.lowerBound, 1)) * Double(max(budget.upperBound, 1))).squareRoot())
  }

  /// Returns the inner part of a budget, which a slightly different next picture will not leave.
  private static func inner(_ budget: ClosedRange<Int>) -> ClosedRange<Int> {
    let margin = (budget.upperBound - budget.lowerBound) / 8
    return budget.lowerBound + margin...budget.upperBound - margin
  }

  private static func point(_ attempt: Try) -> QualitySizeRelation.Point {
    QualitySizeRelation.Point(quality: attempt.quality, byteCount: attempt.byteCount)
  }
}
