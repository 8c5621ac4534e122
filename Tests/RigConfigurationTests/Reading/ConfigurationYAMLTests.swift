import Settings
import Testing

@testable import RigConfiguration

@Suite(.timeLimit(.minutes(10))) struct ConfigurationYAMLTests {
  /// Returns the refusal of an anchor, an alias or too deep a nesting; `nil` for another or none.
  private static func refusal(of text: String) -> YAMLRefusal? {
    do throws(YAMLRefusals) {
      _ = try ConfigurationYAML.compose(text)
      return nil
    } catch {
      return error.all.first { $0.isYAML && $0.key.isEmpty }
    }
  }

  /// Texts with an anchor or an alias, and the line and the column of the first.
  static let anchored: [(String, Int, Int)] = [
    ("a: *b", 1, 4), ("a: &b c", 1, 4), ("*a", 1, 1), ("- *a", 1, 3), ("- - &a b", 1, 5),
    ("[*a]", 1, 2), ("[x,*y]", 1, 4), ("[x, *y]", 1, 5), ("{a: *b}", 1, 5), ("{'a':*b}", 1, 6),
    ("a: [x,\n  *b]", 2, 3), ("? *a\n: b", 1, 3), ("*a : b", 1, 1), ("a:\n  *b", 2, 3),
    // Anchors and aliases behind a quote, comment or block that has ended.
    ("a: 'x'\nb: *c", 2, 4), ("a: 'x''y'\nb: *c", 2, 4), ("a: \"\\\\\"\nb: *c", 2, 4),
    ("a: x # 'y\nb: *c", 2, 4), ("a: x'y\nb: *c", 2, 4), ("a: x\n*b : c", 2, 1),
    ("a: |\n  x\nb: &c d", 3, 4), ("a:\n  b: >-\n    x\n  c: *d", 4, 6),
    ("a: |1\n x\nb: *c", 3, 4), ("- |\n x\n- *y", 3, 3),
    ("# a\n\n--- &b c", 3, 5), ("%YAML 1.1\n---\na: *b", 3, 4), ("a: b\n--- *c", 2, 5),
    ("a: !t &b c", 1, 4), ("[!t,*b]", 1, 5), ("[!<t,'u> x, *b]", 1, 13),
    ("a: !t 'x'\nb: &c d", 2, 4),
    // Lines and columns count characters as elsewhere, with any kind of line ending.
    ("é: *b", 1, 4), ("a: b\r\nc: *d", 2, 4), ("a: b\rc: *d", 2, 4), ("\u{FEFF}a: *b", 1, 5),
    // Texts that are no YAML either; the message names the anchor or alias.
    ("a: *.jpg", 1, 4), ("a: & b", 1, 4),
  ]

  @Test(arguments: anchored)
  func `anchors and aliases are refused at their place`(
    _ text: String, _ line: Int, _ column: Int
  ) {
    let refusal = Self.refusal(of: text)
    #expect(
      refusal?.place.line == line && refusal?.place.column == column, "\(text) \(refusal as Any)")
    #expect(refusal?.problem.hasPrefix("anchors and aliases are not used") == true)
  }

  /// Texts in which both characters stand only for themselves.
  static let plain: [String] = [
    "a: '*b &c'", "a: \"*b &c\"", "a: \"\\\"*b\" # &c", "a: 'it''s *b'", "a: 'x\n  *b'",
    "a: \"x\n  &b\"", "a: \"x \\\n  *b\"", "a: \"\\\\\" # *b", "- '*'\n- \"&\"", "'*a': '&b'",
    "a: x *b &c", "a: 5*3&4", "a: http://h/?b=1&c=*", "k*: v&", "a: - *b", "a: x\n  *b\n  &c",
    "a:\n  b\n *c", "x\n*a", "a: 5 * 3\nb: R&D",
    "# *a &b", "a: b # *c", "a: b #*c\n#&d", "a: # *b\n  c",
    "a: |\n  *b\n  &c", "a: >-\n  *b", "a: |\n\n  *b\n\n  &c\nd: e", "- |\n *b\n", "- - |\n   *b",
    "a: |2\n    *b\n  c: d", "a: |-\n  x\n   *b\n  &c", "a: | # *b\n  c", "|\n *a", "a: >+1\n *b",
    "a: [x *b, 'y &c']", "[a*, b&]", "{ n: 5*3, m: '&' }", "[x\n *b]", "[a # *b\n, c]",
    "!t* a", "a: !<t,*> b", "%TAG ! t:*,\n---\na: b", "a: b\r\n  *c", "a: b\u{2028}  *c", "",
    "a: \"x", "a: 'x\n--- *b", "\ta: *b",
  ]

  @Test(arguments: plain) func `anchor and alias characters within a text are not refused`(
    _ text: String
  ) {
    #expect(Self.refusal(of: text) == nil)
  }

  private static func nested(_ count: Int, _ begin: String, _ end: String = "") -> String {
    String(repeating: begin, count: count) + String(repeating: end, count: count)
  }

  /// Texts with the maximum nesting and with one level more, and the place of that level.
  static let nestings: [(String, String, Int, Int)] = [
    (nested(32, "[", "]"), nested(33, "[", "]"), 1, 33),
    (nested(32, "{a: ", "}"), nested(33, "{a: ", "}"), 1, 129),
    ("\(nested(32, "- "))x", "\(nested(33, "- "))x", 1, 65),
    ("\(nested(32, "? "))x", "\(nested(33, "? "))x", 1, 65),
    (sections(32), sections(33), 33, 33),
    ("\(sections(31)) [x]", "\(sections(31)) [x, [y]]", 31, 38),
  ]

  /// Returns nested sections, each indented by one space more.
  private static func sections(_ count: Int) -> String {
    (0..<count).map { String(repeating: " ", count: $0) + "k:" }.joined(separator: "\n")
  }

  @Test(arguments: nestings)
  func `nesting that is too deep is refused`(
    _ allowed: String, _ deeper: String, _ line: Int, _ column: Int
  ) {
    #expect(Self.refusal(of: allowed) == nil)
    let refusal = Self.refusal(of: deeper)
    #expect(refusal?.place.line == line && refusal?.place.column == column, "\(refusal as Any)")
    #expect(refusal?.problem.contains("more than 32") == true)
  }

  /// Texts with brackets beside each other or within a text, neither of which counts as nesting.
  static let shallow: [String] = [
    nested(1000, "- [x]\n"), nested(1000, "- a: { b: c }\n"), "[\(nested(1000, "{ a: [x] }, "))]",
    "a: '\(nested(100, "["))'", "a: |\n  \(nested(100, "["))", "a: x\(nested(100, "{"))",
    "# \(nested(100, "{"))",
  ]

  @Test(arguments: shallow) func `a long text is not deep`(_ text: String) {
    #expect(Self.refusal(of: text) == nil)
  }
}
