import Testing

@testable import Console

@Suite struct PagerTests {
  /// Shows lines and answers each question; returns the number of lines before each question.
  private func pages(_ lines: [String], rows: Int, columns: Int, keys: String) -> [Int] {
    var pager = Pager(rows: rows, columns: columns)
    var keys = Array(keys.utf8)[...]
    var (pages, shown) = ([Int](), 0)
    for line in lines {
      if pager.isFull(before: line) {
        pages.append(shown)
        if pager.answer(keys.popFirst(), before: line) == .quit { return pages }
      }
      shown += 1
    }
    return pages
  }

  private let lines = (0..<100).map { "line \($0)" }

  @Test func `a screenful leaves a row for the question`() {
    #expect(pages(lines, rows: 24, columns: 80, keys: "    ") == [23, 46, 69, 92])
    #expect(pages(Array(lines.prefix(23)), rows: 24, columns: 80, keys: "") == [])
  }

  @Test func `Enter shows one more line and q ends the output`() {
    #expect(pages(lines, rows: 24, columns: 80, keys: "\n\nq") == [23, 24, 25])
    #expect(pages(lines, rows: 24, columns: 80, keys: "x") == [23])
    #expect(pages(lines, rows: 24, columns: 80, keys: "") == [23])
  }

  @Test func `long lines take more rows and never hold up the output`() {
    let long = String(repeating: "x", count: 200)
    #expect(pages([long, long, long, long], rows: 8, columns: 80, keys: "   ") == [2])
    #expect(pages([long, long, long], rows: 3, columns: 10, keys: "\n\n\n") == [1, 2])
  }
}
