import Capture
import Testing

@Suite struct RetakeTrailTests {
  /// Returns the presses that each of the presses 1, 2, 3, … replaces; `true` for a retake.
  private func replaced(_ retakes: [Bool], after press: Int64? = nil) -> [[Int64]] {
    var trail = RetakeTrail(after: press)
    return retakes.enumerated().map { trail.admit(Int64($0 + 1), isRetake: $1) }
  }

  @Test func `a retake names the press before it`() {
    #expect(replaced([false, true]) == [[], [1]])
    #expect(replaced([false, true, true]) == [[], [1], [2, 1]], "a retake may be refused itself")
    #expect(
      replaced([false, true, true, false, true]) == [[], [1], [2, 1], [], [4]],
      "a page that was never stored is its own")
  }

  @Test func `an earlier run's picture is replaced once`() {
    #expect(replaced([true], after: 0) == [[0]])
    #expect(replaced([false, true], after: 0) == [[], [1]])
    #expect(replaced([true]) == [[]])
  }

  @Test func `the trail is limited`() {
    let last = replaced(Array(repeating: true, count: 100)).last ?? []
    #expect(last == (0..<RetakeTrail.limit).map { Int64(99 - $0) })
  }
}
