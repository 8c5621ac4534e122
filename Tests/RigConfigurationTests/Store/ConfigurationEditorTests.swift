import TestSupport
import Testing

@testable import RigConfiguration

/// An edit, and the expected text after it.
struct ConfigurationEdit: Sendable, CustomTestStringConvertible {
  var before: String
  var key: String
  var value: String
  var after: String
  var testDescription: String { "\(key) = \(value)" }

  init(_ key: String, _ value: String, _ before: String, _ after: String) {
    self.before = before
    self.key = key
    self.value = value
    self.after = after
  }

  static let all: [ConfigurationEdit] = [
    .init("a", "2", "a: 1\n", "a: 2\n"),
    .init("a", "2", "a: 1 # why\nb: 3\n", "a: 2 # why\nb: 3\n"),
    .init(
      "a.b", "25", "# top\na:\n  # inner\n  b:   30   # was\n  c: x\n",
      "# top\na:\n  # inner\n  b:   25   # was\n  c: x\n"),
    .init("a", "\"x: y\"", "a: 'it''s # no comment'\n", "a: \"x: y\"\n"),
    .init("a", "z", "a: \"q \\\" # \" # c\n", "a: z # c\n"),
    .init("a.id", "r2", "a: { id: r1, b: 2 }\n", "a: { id: r2, b: 2 }\n"),
    .init("a.c", "3", "a: { id: r1, b: 2 }\n", "a: { id: r1, b: 2, c: 3 }\n"),
    .init("a.c", "3", "a: {}\n", "a: { c: 3 }\n"),
    .init("a", "[x, y]", "a: [ 1, '2]', 3 ] # l\n", "a: [x, y] # l\n"),
    .init(
      "a.d", "4", "a:\n  b: 1\n\n  c: 2\n# tail\nz: 1\n",
      "a:\n  b: 1\n\n  c: 2\n  d: 4\n# tail\nz: 1\n"),
    .init("b", "2", "a: 1", "a: 1\nb: 2\n"),
    .init("b.c.d", "2", "a: 1\n", "a: 1\nb: { c: { d: 2 } }\n"),
    .init("a.n", "5", "a:\n  b:\n    deep: 1\nz: 2\n", "a:\n  b:\n    deep: 1\n  n: 5\nz: 2\n"),
    .init("a.n", "5", "a:\n  b: [1,\n    2]\nz: 2\n", "a:\n  b: [1,\n    2]\n  n: 5\nz: 2\n"),
    .init("a", "7", "a:\nb: 1\n", "a: 7\nb: 1\n"),
    .init("b", "2", "a: \"ü → é\" # ö\nb: 1\n", "a: \"ü → é\" # ö\nb: 2\n"),
    .init("b", "2", "a: 1\r\nb: 1\r\n", "a: 1\r\nb: 2\r\n"),
    .init("c", "3", "a: 1\r\nb: 1\r\n", "a: 1\r\nb: 1\r\nc: 3\r\n"),
    .init("a.b", "{ c: 1 }", "a:\n  b: old\n", "a:\n  b: { c: 1 }\n"),
    .init("a", "\"*.jpg & more\"", "a: '&b' # *c\n", "a: \"*.jpg & more\" # *c\n"),
    .init("b", "x*y & z", "a: R&D\nb: 2 * 3\n", "a: R&D\nb: x*y & z\n"),
  ]
}

@Suite struct ConfigurationEditorTests {
  @Test(arguments: ConfigurationEdit.all)
  func `the smallest region is edited`(_ edit: ConfigurationEdit) throws {
    var editor = ConfigurationEditor(edit.before)
    try editor.set(edit.key, to: edit.value)
    #expect(editor.text == edit.after)
  }

  /// The edits that must be refused: text, key, value, and a word of the reason.
  static let refusals: [(String, String, String, String)] = [
    ("a: 1\n", "", "1", "path"), ("a: 1\n", "a..b", "1", "path"), ("a: 1\n", "a b", "1", "path"),
    ("a: 1\n", "a.b", "1", "no section"), ("a: 1\n", "a", "", "one line"),
    ("a: 1\n", "a", "1\n2", "one line"), ("a: 1\n", "a", "[1", "none"),

    ("a: { b: 1 }\n", "a.b", "x, c: 2", "something else"),
    ("a:\n  b: 1\n", "a", "2", "one by one"), ("a:\n  - 1\n", "a", "2", "one by one"),
    ("a: |\n  text\n", "a", "2", "by hand"),
    ("a: &x 1\nb: *x\n", "b", "2", "line 1 of the file as it is: anchors and aliases"),
    ("a: 1\n", "a", "*x", "line 1 of its value: anchors and aliases"),
    ("a: 1\n", "a", "[&x [1], *x, *x]", "line 1 of its value: anchors and aliases"),
    ("a: 1\n", "a", String(repeating: "[", count: 500), "more than 32 lists and sections"),
    ("a: two\n  lines\n", "a", "2", "by hand"), ("[1]", "a", "2", "no YAML"),
    ("", "a", "2", "no YAML"),
    ("a: [", "a", "2", "no YAML"), ("a: !!str 1\n", "a", "2", ""),
  ]

  @Test(arguments: refusals)
  func `an impossible edit is refused and leaves the text`(
    _ text: String, _ key: String, _ value: String, _ word: String
  ) {
    var editor = ConfigurationEditor(text)
    do {
      try editor.set(key, to: value)
      Issue.record("\(editor.text)")
    } catch {
      #expect(editor.text == text)
      #expect(word.isEmpty || error.description.contains(word), "\(error)")
    }
  }

  /// An edit of any text does not end the process, and a successful edit sets one key.
  @Test func `random texts are edited right or not at all`() {
    var generator = TestSeed.generator()
    let pieces = [
      "a: 1", "b:", "  c: x", "  d: { e: 1, f: [2, 3] }", "# note", "g: 'q'", "  - h", "{", "}",
      "]",
      "\"", "i: \"j\"", "k: |", "    deep: 1", "", "ü: ö", "\t", "l: &m 1", "n: *m", "o: ? p",
      "---",
    ]
    let keys = ["a", "b.c", "b.d.e", "b.new", "g", "i", "q.r.s", "ü", "k", "l"]
    let values = ["1", "x", "[1, 2]", "{ a: b }", "\"#\"", "'", ": ", "- 1", "true"]
    var edits = 0
    for _ in 0..<8000 {
      let count = Int.random(in: 1...8, using: &generator)
      let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
        .joined(separator: "\n")
      var editor = ConfigurationEditor(text)
      let key = keys.randomElement(using: &generator) ?? "a"
      do {
        try editor.set(key, to: values.randomElement(using: &generator) ?? "1")
      } catch {
        #expect(editor.text == text, "\(text.debugDescription)")
        continue
      }
      edits += 1
      // Every comment and every other line is still there, in its order.
      let lines = editor.text.split(separator: "\n").filter { $0.hasPrefix("#") }
      #expect(
        lines == text.split(separator: "\n").filter { $0.hasPrefix("#") },
        "\(text.debugDescription)")
    }
    #expect(edits > 100, "\(edits), seed \(TestSeed.value)")
  }
}
