import Devices
import Foundation
import TestSupport
import Testing

@testable import Imaging

struct ByteBudgetSearchTests {
  /// Runs a search over sizes that a function gives.
  static func run(_ search: ByteBudgetSearch, _ size: (Int) -> Int) -> ByteBudgetSearch {
    var search = search
    while let quality = search.quality { search.record(byteCount: size(quality)) }
    return search
  }

  /// Returns a picture's sizes as encoders make them, or unreasonable ones.
  static func sizes(using generator: inout SeededGenerator) -> [Int] {
    let kind = Int.random(in: 0..<4, using: &generator)
    if kind == 0 {
      return (0...100).map { _ in Int.random(in: 1...2_000_000, using: &generator) }
    }
    let slope = Double.random(in: 0.1...1.6, using: &generator)
    let base = exp(Double.random(in: 7...15, using: &generator))
    let jitter = kind == 1 ? 0.2 : 0
    return (0...100).map { quality in
      let quality = Double(max(quality, 1))
      let scale = max(quality < 50 ? 5000 / quality : 200 - 2 * quality, 1)
      let noise = 1 + Double.random(in: -jitter...jitter, using: &generator)
      return kind == 2 ? Int(base) : Int(base * pow(100 / scale, slope) * noise) + 600
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `A search ends in time and never chooses a size above the budget needlessly`(_ seed: UInt64)
  {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<1500 {
      let sizes = Self.sizes(using: &generator)
      let lower = Int.random(in: 1...600_000, using: &generator)
      let budget = lower...lower + Int.random(in: 0...600_000, using: &generator)
      let lowest = Int.random(in: -5...90, using: &generator)
      let qualities = lowest...Int.random(in: max(lowest, 1)...110, using: &generator)
      let maximumTries = Int.random(in: 0...8, using: &generator)
      let search = Self.run(
        ByteBudgetSearch(
          budget: budget, startingAt: Int.random(in: -10...120, using: &generator),
          qualities: qualities, maximumTries: maximumTries)
      ) { sizes[$0] }
      let name = "seed \(seed), round \(round): \(budget), \(qualities), \(search.tries)"
      #expect((1...max(2, maximumTries)).contains(search.tries.count), "\(name)")
      #expect(Set(search.tries.map(\.quality)).count == search.tries.count, "\(name)")
      #expect(
        search.tries.allSatisfy { (max(lowest, 1)...min(qualities.upperBound, 100)) ~= $0.quality },
        "\(name)")
      switch search.fit {
      case .inside: #expect(search.best.map { budget.contains($0.byteCount) } == true, "\(name)")
      case .below: #expect(search.best.map { $0.byteCount < lower } == true, "\(name)")
      case .above:
        // Even the lowest allowed quality has been tried, and no try fits.
        #expect(search.tries.contains { $0.quality == max(lowest, 1) }, "\(name)")
        #expect(search.tries.allSatisfy { $0.byteCount > budget.upperBound }, "\(name)")
      case nil: Issue.record("no result: \(name)")
      }
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `A quality inside the budget is found with enough tries`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var triesCount = 0
    var rounds = 0
    for _ in 0..<2000 {
      let sizes = Self.sizes(using: &generator)
      guard zip(sizes, sizes.dropFirst()).allSatisfy({ $0 <= $1 }) else { continue }
      let upper = Int.random(in: 20_000...800_000, using: &generator)
      let search = Self.run(
        ByteBudgetSearch(
          budget: upper * 2 / 5...upper, startingAt: 85, qualities: 20...97, maximumTries: 20)
      ) { sizes[$0] }
      let isPossible = (20...97).contains { (upper * 2 / 5...upper).contains(sizes[$0]) }
      #expect((search.fit == .inside) == isPossible, "seed \(seed): \(search)")
      if isPossible {
        triesCount += search.tries.count
        rounds += 1
      }
    }
    #expect(rounds > 100 && triesCount < 3 * rounds, "seed \(seed): \(triesCount) in \(rounds)")
  }

  @Test
  func `Pages of a book need one try each after the first, and at most three for that`() throws {
    let encoder = try JPEGEncoder()
    let budget = 40_000...70_000
    var relation: QualitySizeRelation?
    var counts: [Int] = []
    for number in 0..<8 {
      let frame = TestPage(UInt64(number), width: 480, height: 640).taken(3, noise: 6)
        .frame(.yuv420)
      let search = Self.run(
        relation.map { ByteBudgetSearch(budget: budget, after: $0) }
          ?? ByteBudgetSearch(budget: budget, startingAt: 95)
      ) { quality in
        (try? JPEGEncoderTests.encode(frame, quality: quality, with: encoder).count) ?? 0
      }
      #expect(search.fit == .inside, "page \(number): \(search.tries)")
      counts.append(search.tries.count)
      relation = search.relation
    }
    #expect(counts[0] <= 3 && counts.reduce(0, +) <= 8 + 5, "\(counts)")
  }

  @Test
  func `A prediction from a point gives the point's own quality for its own size`() {
    for quality in 1...99 {
      let relation = QualitySizeRelation(
        QualitySizeRelation.Point(quality: quality, byteCount: 300_000))
      #expect(relation.quality(for: 300_000) == quality)
      #expect(relation.quality(for: 600_000) >= quality)
      #expect(relation.quality(for: 150_000) <= quality)
    }
    let flat = QualitySizeRelation(
      QualitySizeRelation.Point(quality: 50, byteCount: 1),
      QualitySizeRelation.Point(quality: 60, byteCount: 1), otherwise: 0.6)
    #expect(flat.slope == 0.6)
  }

  @Test
  func `A part of the budget is aimed at, and a file elsewhere in the budget is kept`() {
    let sizes = { (quality: Int) in 2000 * quality }
    let last = Self.run(ByteBudgetSearch(budget: 40_000...200_000, startingAt: 70), sizes)
    #expect(last.tries.map(\.quality) == [70])
    let aim = 40_000...100_000
    let relation = last.relation ?? QualitySizeRelation(.init(quality: 70, byteCount: 140_000))
    let lower = Self.run(
      ByteBudgetSearch(budget: 40_000...200_000, aim: aim, after: relation), sizes)
    #expect(lower.tries.count == 1 && lower.fit == .inside)
    #expect(lower.best.map { $0.quality < 70 } == true, "\(lower.tries)")
    let kept = Self.run(
      ByteBudgetSearch(budget: 40_000...200_000, aim: aim, after: relation)
    ) { 3500 * $0 }
    #expect(kept.tries.count == 1, "another encode would take longer than it saves")
    let blind = Self.run(
      ByteBudgetSearch(budget: 40_000...200_000, aim: aim, startingAt: 90), sizes)
    #expect(blind.tries.count == 2 && blind.tries.first?.quality == 90)
    #expect(blind.best.map { aim.contains($0.byteCount) } == true, "\(blind.tries)")
    let tooLarge = Self.run(
      ByteBudgetSearch(budget: 40_000...150_000, aim: aim, startingAt: 90), sizes)
    #expect(tooLarge.best.map { aim.contains($0.byteCount) } == true, "\(tooLarge.tries)")
  }
}
