import Testing

@testable import PageSense

/// The geometry of an outline.
@Suite struct QuadrilateralTests {
  private let outline = Quadrilateral(
    corners: [SIMD2(2, 1), SIMD2(9, 2), SIMD2(8, 9), SIMD2(1, 8)])

  @Test func `the span of a row has the columns whose middles are inside`() {
    for row in -1..<12 {
      let span = outline.span(ofRow: row)
      for column in -1..<12 {
        let isInside = outline.contains(SIMD2(Double(column) + 0.5, Double(row) + 0.5))
        #expect(span.contains(column) == isInside, "column \(column) of row \(row)")
      }
    }
  }

  @Test func `a line through points bears wrong ones`() throws {
    // A quarter of the side is under a hand.
    let points = (0..<100).map { place -> SIMD2<Double> in
      let isCovered = (40..<65).contains(place)
      return SIMD2(Double(place), 10 + 0.1 * Double(place) + (isCovered ? 3 : 0))
    }
    let side = try #require(SideFit(points, from: SIMD2(0, 10), to: SIMD2(99, 20)))
    let slope = side.direction.y / side.direction.x
    #expect(abs(slope - 0.1) < 0.001)
    #expect(abs(side.origin.y - slope * side.origin.x - 10) < 0.05)
  }
}
