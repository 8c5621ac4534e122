import Capture
import Testing

@Suite struct PageFingerprintTests {
  /// Returns the look of a page whose fields have levels of luma by row and column.
  private func look(_ level: (Int, Int) -> Double) -> PageFingerprint {
    let side = PageFingerprint.side
    return PageFingerprint(fields: (0..<side * side).map { level($0 / side, $0 % side) })
  }

  private func ink(_ row: Int, _ column: Int, page: Int) -> Double {
    let pattern: Int = row * 7 + column * 3 + page * row * column
    return 200 - 4 * Double(pattern % 11)
  }

  @Test func `brightness and light from a side change nothing`() {
    let page = look { ink($0, $1, page: 1) }
    let lit = look { 0.8 * ink($0, $1, page: 1) + 2 * Double($1) - 3 * Double($0) }
    #expect(page.isSamePage(as: lit) && lit.isSamePage(as: page))
  }

  @Test func `margins and lines that pages share do not make them the same`() {
    let looks = [1, 2].map { page in
      look { $0.isMultiple(of: 2) ? 230 : ink($0, $1, page: page) - 60 }
    }
    #expect(!looks[0].isSamePage(as: looks[1]))
  }

  @Test func `empty pages are the same and no printed page is empty`() {
    let empty = look { _, _ in 220 }
    let shaded = look { row, column in 220 - Double(row + column) }
    #expect(empty.isSamePage(as: shaded))
    #expect(!empty.isSamePage(as: look { ink($0, $1, page: 1) }))
  }
}
