import Console
import TestSupport
import Testing

@Suite struct CommandWordsTests {
  @Test(
    arguments: [
      ("", []), ("   \t ", []), ("status", ["status"]), ("  spool  list ", ["spool", "list"]),
      ("a\tb", ["a", "b"]), ("'a b' c", ["a b", "c"]), ("\"a b\"c", ["a bc"]),
      ("''", [""]), ("a'' \"\"", ["a", ""]), (#"a\ b"#, ["a b"]), (#"\'x"#, ["'x"]),
      (#""a\"b\\c\d""#, [#"a"b\c\d"#]), (#"'a\b'"#, [#"a\b"#]), ("'\"'", ["\""]),
      ("über 長い", ["über", "長い"]), ("$HOME `id` $(id) *;|&>", ["$HOME", "`id`", "$(id)", "*;|&>"]),
    ] as [(String, [String])])
  func `a line is split`(_ line: String, _ words: [String]) throws {
    #expect(try CommandWords.split(line) == words)
  }

  @Test(
    arguments: [
      ("'a", .openQuote("'")), ("\"a\\\"", .openQuote("\"")), ("a\\", .openBackslash),
      ("a\u{1B}[2J", .controlCharacter("\u{1B}")), ("a\u{9B}1m", .controlCharacter("\u{9B}")),
      ("\u{0}", .controlCharacter("\u{0}")), ("'a\nb'", .controlCharacter("\n")),
    ] as [(String, CommandWords.Problem)])
  func `a line that cannot be split is refused`(_ line: String, _ problem: CommandWords.Problem) {
    #expect(throws: problem) { try CommandWords.split(line) }
    #expect(problem.description == PlainText.escaping(problem.description))
  }

  @Test func `quoting split words gives the same words`() throws {
    var random = TestSeed.generator(1)
    let letters: [Unicode.Scalar] = [
      "a", "b", " ", "\t", "'", "\"", "\\", "$", "é", "e", "\u{301}", "長", "😀", "-", "?", "#",
    ]
    for _ in 0..<20_000 {
      let words = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        var word = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...8, using: &random) {
          word.append(letters.randomElement(using: &random) ?? "a")
        }
        return String(word)
      }
      let line = CommandWords.join(words)
      let again = try CommandWords.split(line)
      // The scalars are compared, because equal texts may be written differently.
      #expect(
        again.map { Array($0.unicodeScalars) } == words.map { Array($0.unicodeScalars) },
        "\(line.debugDescription)")
    }
  }

  @Test func `any text is split or refused`() {
    var random = TestSeed.generator(2)
    var refusals = 0
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random) & (Bool.random(using: &random) ? 0x7F : 0xFF)
      }
      let line = String(decoding: bytes, as: UTF8.self)
      do {
        let words = try CommandWords.split(line)
        let joined = try CommandWords.split(CommandWords.join(words))
        #expect(joined == words, "\(line.debugDescription)")
        // The words contain nothing that is not in the line.
        #expect(words.reduce(0) { $0 + $1.utf8.count } <= line.utf8.count)
      } catch {
        refusals += 1
      }
    }
    #expect((1..<20_000).contains(refusals))
  }

  @Test(
    arguments: [
      ("", [], nil), ("sta", [], "sta"), ("spool ", ["spool"], nil),
      ("spool li", ["spool"], "li"), ("a 'b c", ["a"], "b c"), ("a ''", ["a"], ""),
    ] as [(String, [String], String?)])
  func `an incomplete line has an unfinished word`(
    _ line: String, _ complete: [String], _ unfinished: String?
  ) {
    let words = CommandWords(reading: line)
    #expect(words.complete == complete)
    #expect(words.unfinished == unfinished)
  }
}
