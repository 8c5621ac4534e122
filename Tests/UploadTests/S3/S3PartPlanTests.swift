import Testing

@testable import Upload

@Suite struct S3PartPlanTests {
  private static let mebibyte: Int64 = 1 << 20

  @Test(arguments: [
    (0, 8, 8, 1), (1, 8, 8, 1), (8 * mebibyte, 8, 8, 1), (8 * mebibyte + 1, 8, 8, 2),
    (20 * mebibyte, 1, 5, 4), (50_000 * mebibyte, 5, 5, 10_000),
    (50_000 * mebibyte + 1, 5, 6, 8334),
  ])
  func `an item is divided into parts`(byteCount: Int64, wanted: Int64, used: Int64, count: Int) {
    let plan = S3PartPlan(byteCount: byteCount, partByteCount: wanted * Self.mebibyte)
    #expect(plan.partByteCount == used * Self.mebibyte)
    #expect(plan.count == count)
    var position: Int64 = 0
    for number in 1...plan.count {
      let range = plan.range(of: number)
      #expect(range.lowerBound == position)
      position = range.upperBound
    }
    #expect(position == byteCount)
  }

  @Test func `an unfinished upload keeps its parts`() {
    let plan = S3PartPlan(byteCount: 100 * Self.mebibyte, begunWith: 6 * Self.mebibyte)
    #expect(plan?.partByteCount == 6 * Self.mebibyte)
    #expect(S3PartPlan(byteCount: 100, begunWith: nil) == nil)
    #expect(S3PartPlan(byteCount: 100, begunWith: 100) == nil)
    #expect(
      S3PartPlan(byteCount: 60_000 * Self.mebibyte, begunWith: 5 * Self.mebibyte) == nil)
  }
}
