import Testing

@testable import PageSense

/// The width of steps of the light.
@Suite struct EdgeWidthTests {
  private func ramp(_ length: Int, from first: Double = 40, to last: Double = 220) -> [Double] {
    (0..<65).map { index in
      let share = min(max(Double(index - 32 + length / 2) / Double(length), 0), 1)
      return first + (last - first) * share
    }
  }

  @Test(arguments: [2, 5, 10, 20])
  func `a ramp is eight tenths of its length wide, up and down`(length: Int) throws {
    let up = try #require(EdgeWidth.width(ofStepIn: ramp(length), search: 6))
    let down = try #require(EdgeWidth.width(ofStepIn: ramp(length, from: 220, to: 40), search: 6))
    #expect(abs(up - 0.8 * Double(length)) < 0.1)
    #expect(abs(down - up) < 0.001)
  }

  @Test func `a faint step is not measured`() {
    #expect(EdgeWidth.width(ofStepIn: ramp(4, from: 100, to: 110), search: 6) == nil)
    #expect(EdgeWidth.width(ofStepIn: Array(repeating: 9, count: 65), search: 6) == nil)
  }
}
