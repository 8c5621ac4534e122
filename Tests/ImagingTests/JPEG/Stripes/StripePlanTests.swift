import Testing

@testable import Imaging

struct StripePlanTests {
  @Test
  func `Stripes cover the picture once, in whole rows of MCUs, and are as even as possible`() {
    for rowsPerMCU in [8, 16] {
      for height in (1...70).map({ $0 * 3 }) + [480, 1080, 3040, 65500] {
        for count in [-1, 0, 1, 2, 3, 4, 7, 16, 10_000] {
          let rows = StripePlan(height: height, rowsPerMCU: rowsPerMCU, count: count).rows
          let mcuRows = (height + rowsPerMCU - 1) / rowsPerMCU
          #expect(rows.count == min(max(count, 1), mcuRows))
          #expect(rows.first?.lowerBound == 0 && rows.last?.upperBound == height)
          #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
          #expect(rows.allSatisfy { !$0.isEmpty && $0.lowerBound % rowsPerMCU == 0 })
          let counts = rows.map { ($0.count + rowsPerMCU - 1) / rowsPerMCU }
          #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1)
        }
      }
    }
  }
}
