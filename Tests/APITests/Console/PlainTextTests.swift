import Console
import TestSupport
import Testing

@Suite struct PlainTextTests {
  @Test(arguments: [
    ("plain, Zürich, 長い, é", "plain, Zürich, 長い, é"),
    ("\u{1B}[31m", "\\u{1B}[31m"), ("a\nb\r\tc", "a\\nb\\r\\tc"), ("\u{9B}2J", "\\u{9B}2J"),
    ("\u{7F}\u{0}", "\\u{7F}\\u{0}"), ("\u{202E}abc", "\\u{202E}abc"),
    ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"), ("\u{FEFF}", "\\u{FEFF}"),
    ("\u{E000}", "\\u{E000}"),
  ])
  func `invisible characters are escaped`(text: String, shown: String) {
    #expect(PlainText.escaping(text) == shown)
  }

  @Test(arguments: [("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("長い", 4), ("°²…", 3)])
  func `columns are counted`(text: String, columns: Int) {
    #expect(PlainText.columns(text) == columns)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("長い長い", 5, "長い…"), ("長い長い", 4, "長…"),
    ("abc", 1, "…"), ("abc", 0, ""),
  ])
  func `text is cut`(text: String, limit: Int, shown: String) {
    #expect(PlainText.truncating(text, to: limit) == shown)
    #expect(PlainText.columns(PlainText.truncating(text, to: limit)) <= limit)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `wrapped text fits and keeps its characters`(seed: UInt64) {
    print("wrapping, seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let text = String(
        (0..<Int.random(in: 0..<120, using: &generator)).map { _ in
          "ab長é  ".randomElement(using: &generator) ?? "x"
        })
      let limit = Int.random(in: 2...40, using: &generator)
      let lines = PlainText.wrapping(text, to: limit)
      #expect(!lines.isEmpty)
      #expect(lines.allSatisfy { PlainText.columns($0) <= limit }, "\(limit): \(text)")
      #expect(
        lines.joined().filter { $0 != " " } == text.filter { $0 != " " }, "\(limit): \(text)")
    }
  }

  @Test func `a table shrinks its widest column`() {
    let table = TextTable(
      [.right("n"), "text", "end"],
      [["7", String(repeating: "x", count: 100), "yes"], ["12345"]])
    #expect(
      table.lines(width: 24) == [
        "    n  text          end", "    7  xxxxxxxxxxx…  yes", "12345",
      ])
  }
}
