/// The search for the quality at which a picture's file is as large as wanted, in few tries.
///
/// A value without any encoder: it says which ``quality`` to try next and is told what came of it.
/// Sizes need not grow with the quality everywhere; the search ends all the same.
public struct ByteBudgetSearch: Sendable, Hashable {
  /// How the file that was chosen lies to the budget.
  public enum Fit: String, Sendable, Hashable, Codable {
    /// Within it.
    case inside
    /// Below it, because a better quality would go above it or is not allowed.
    case below
    /// Above it, because even the lowest quality that is allowed is.
    case above
  }

  /// A quality that was tried.
  public struct Try: Sendable, Hashable {
    /// 1...100.
    public let quality: Int
    /// The size of the file in bytes.
    public let byteCount: Int
  }

  /// The size that the file shall have, in bytes.
  public let budget: ClosedRange<Int>
  /// The part of the budget that is aimed at, in bytes.
  public let aim: ClosedRange<Int>
  /// The qualities that are allowed.
  public let qualities: ClosedRange<Int>
  /// The most tries, at least 2.
  public let maximumTries: Int
  /// What has been tried, in that order.
  public private(set) var tries: [Try] = []
  /// The quality to try next; `nil` when the search has ended.
  public private(set) var quality: Int?
  private let slope: Double
  /// Whether nothing was known of the picture; then one miss of the aim is made good.
  private let isBlind: Bool

  /// Begins a search.
  ///
  /// - Parameters:
  ///   - budget: the size that the file shall have, in bytes.
  ///   - aim: the part of the budget to aim at, `nil` for all of it; a file that lies elsewhere in
  ///     the budget gets one more try.
  ///   - quality: what to try first; moved into `qualities` when it is outside.
  ///   - qualities: the qualities that are allowed, within 1...100.
  ///   - maximumTries: less than 2 counts as 2.
  public init(
    budget: ClosedRange<Int>, aim: ClosedRange<Int>? = nil, startingAt quality: Int,
    qualities: ClosedRange<Int> = JPEGQuality.budgetQualities, maximumTries: Int = 6
  ) {
    self.init(
      budget: budget, aim: aim, startingAt: quality, qualities: qualities,
      maximumTries: maximumTries, slope: QualitySizeRelation.typicalSlope, isBlind: true)
  }

  /// Begins a search with what the picture before has shown.
  init(
    budget: ClosedRange<Int>, aim: ClosedRange<Int>? = nil, after last: QualitySizeRelation,
    qualities: ClosedRange<Int> = JPEGQuality.budgetQualities, maximumTries: Int = 6
  ) {
    // What was inside is left as it is unless it was close to the edge.
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

  /// Tells the search how large the file of ``quality`` is.
  ///
  /// Does nothing when the search has ended.
  public mutating func record(byteCount: Int) {
    guard let tried = quality else { return }
    tries.append(Try(quality: tried, byteCount: byteCount))
    quality = nextQuality
  }

  /// The best that has been tried: within the budget, else the largest below it, else the smallest.
  public var best: Try? {
    tries.first { aim.contains($0.byteCount) }
      ?? tries.first { budget.contains($0.byteCount) }
      ?? tries.filter { $0.byteCount < budget.lowerBound }.max { $0.byteCount < $1.byteCount }
      ?? tries.min { $0.byteCount < $1.byteCount }
  }

  /// How the best lies to the budget; `nil` before the first try.
  public var fit: Fit? {
    best.map { best in
      best.byteCount > budget.upperBound
        ? .above : best.byteCount < budget.lowerBound ? .below : .inside
    }
  }

  /// What the tries say of the picture, for the one after it.
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
    // With nothing that fits, the last try has to be the surest.
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

  /// The quality that should meet the aim after a first try that is elsewhere in the budget.
  private var nearerQuality: Int? {
    guard let tried = best, !aim.contains(tried.byteCount) else { return nil }
    let wanted = QualitySizeRelation(Self.point(tried), slope: slope)
      .quality(for: Self.target(aim))
    let quality = min(max(wanted, qualities.lowerBound), qualities.upperBound)
    return quality == tried.quality ? nil : quality
  }

  /// The size to aim at: as far from one end as from the other, in proportion.
  static func target(_ budget: ClosedRange<Int>) -> Int {
    Int((Double(max(budget.lowerBound, 1)) * Double(max(budget.upperBound, 1))).squareRoot())
  }

  /// The part of a budget that the next picture, which is a little different, will not leave.
  private static func inner(_ budget: ClosedRange<Int>) -> ClosedRange<Int> {
    let margin = (budget.upperBound - budget.lowerBound) / 8
    return budget.lowerBound + margin...budget.upperBound - margin
  }

  private static func point(_ attempt: Try) -> QualitySizeRelation.Point {
    QualitySizeRelation.Point(quality: attempt.quality, byteCount: attempt.byteCount)
  }
}
