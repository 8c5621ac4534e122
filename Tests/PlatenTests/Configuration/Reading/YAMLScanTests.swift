import TestSupport
import Testing
import Yams

@testable import Platen

@Suite(.timeLimit(.minutes(10))) struct YAMLScanTests {
  /// Texts with an anchor or an alias, and the line and the column of the first.
  static let anchored: [(String, Int, Int)] = [
    ("a: *b", 1, 4), ("a: &b c", 1, 4), ("*a", 1, 1), ("- *a", 1, 3), ("- - &a b", 1, 5),
    ("[*a]", 1, 2), ("[x,*y]", 1, 4), ("[x, *y]", 1, 5), ("{a: *b}", 1, 5), ("{'a':*b}", 1, 6),
    ("a: [x,\n  *b]", 2, 3), ("? *a\n: b", 1, 3), ("*a : b", 1, 1), ("a:\n  *b", 2, 3),
    // After what looks as if it held a text, and does not any more.
    ("a: 'x'\nb: *c", 2, 4), ("a: 'x''y'\nb: *c", 2, 4), ("a: \"\\\\\"\nb: *c", 2, 4),
    ("a: x # 'y\nb: *c", 2, 4), ("a: x'y\nb: *c", 2, 4), ("a: x\n*b : c", 2, 1),
    ("a: |\n  x\nb: &c d", 3, 4), ("a: |\n  x\n *b", 3, 2), ("a:\n  b: >-\n    x\n  c: *d", 4, 6),
    ("a: |1\n x\nb: *c", 3, 4), ("- |\n x\n- *y", 3, 3), ("a: x #\n  *b", 2, 3),
    ("# a\n\n--- &b c", 3, 5), ("%YAML 1.1\n---\na: *b", 3, 4), ("a: b\n--- *c", 2, 5),
    ("a: !t &b c", 1, 7), ("[!t,*b]", 1, 5), ("[!<t,'u> x, *b]", 1, 13),
    ("a: !t 'x'\nb: &c d", 2, 4),
    // Lines and columns are told as everywhere: by characters, whatever ends a line.
    ("é: *b", 1, 4), ("a: b\r\nc: *d", 2, 4), ("a: b\rc: *d", 2, 4), ("\u{FEFF}a: *b", 1, 5),
    // No YAML either, but what was meant is said.
    ("a: *.jpg", 1, 4), ("a: & b", 1, 4),
  ]

  @Test(arguments: anchored)
  func anchorsAndAliasesAreRefusedWhereTheyStand(_ text: String, _ line: Int, _ column: Int) {
    let refusal = YAMLScan.refusal(of: text)
    #expect(refusal?.line == line && refusal?.column == column, "\(text) \(refusal as Any)")
    #expect(refusal?.problem.hasPrefix("anchors and aliases are not used") == true)
  }

  /// Texts in which both characters mean nothing but themselves.
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

  @Test(arguments: plain) func whatIsPartOfATextIsNotRefused(_ text: String) {
    #expect(YAMLScan.refusal(of: text) == nil)
  }

  private static func nested(_ count: Int, _ begin: String, _ end: String = "") -> String {
    String(repeating: begin, count: count) + String(repeating: end, count: count)
  }

  /// Texts that are nested as deep as is allowed, and one level deeper, with the place of that.
  static let nestings: [(String, String, Int, Int)] = [
    (nested(32, "[", "]"), nested(33, "[", "]"), 1, 33),
    (nested(32, "{a: ", "}"), nested(33, "{a: ", "}"), 1, 129),
    ("\(nested(32, "- "))x", "\(nested(33, "- "))x", 1, 65),
    ("\(nested(32, "? "))x", "\(nested(33, "? "))x", 1, 65),
    (sections(32), sections(33), 33, 33),
    ("\(sections(31)) [x]", "\(sections(31)) [x, [y]]", 31, 38),
  ]

  /// Sections in one another, each indented by one space.
  private static func sections(_ count: Int) -> String {
    (0..<count).map { String(repeating: " ", count: $0) + "k:" }.joined(separator: "\n")
  }

  @Test(arguments: nestings)
  func whatIsNestedTooDeepIsRefused(_ allowed: String, _ deeper: String, _ line: Int, _ column: Int)
  {
    #expect(YAMLScan.refusal(of: allowed) == nil)
    let refusal = YAMLScan.refusal(of: deeper)
    #expect(refusal?.line == line && refusal?.column == column, "\(refusal as Any)")
    #expect(refusal?.problem.contains("more than 32") == true)
  }

  /// Brackets beside each other are not in each other, and those of a text are none.
  static let shallow: [String] = [
    nested(1000, "- [x]\n"), nested(1000, "- a: { b: c }\n"), "[\(nested(1000, "{ a: [x] }, "))]",
    "a: '\(nested(100, "["))'", "a: |\n  \(nested(100, "["))", "a: x\(nested(100, "{"))",
    "# \(nested(100, "{"))",
  ]

  @Test(arguments: shallow) func whatIsLongIsNotDeep(_ text: String) {
    #expect(YAMLScan.refusal(of: text) == nil)
  }

  // MARK: held against Yams

  private static let values: [String] = [
    "x", "", "'*a &b'", "\"*a \\\" &b\"", "x *a &b", "x\n   *a y", "|\n  *a\n  &b",
    ">-\n    *a\n\n    &b", "|2\n    *a", "[x *a, 'q']", "# *a", "x # &b", "'it''s\n  *a'",
    "\"x \\\n   *a\"", "{ n: 5*3, m: \"&\" }", "!t x", "[!<a,'b> x]", "[x,\n  y] # *",
    "\n  n: x *a", "\n- x\n- 'y'", "5&", "http://a/?b=1&c=*", "\n  ? n\n  : m",
    "*a", "&a x", "[x, *a]", "{ n: &b y }", "\n  n: *a", "\n- &a x", "!t &a x", "&a !t x",
    "x\n*a : y", "[x,*y]", "{'n':*a}",
  ]
  private static let noise: [String] =
    " *&:'\"#-[]{},|>!?%\n\t".map { "\($0)" } + ["\n  ", "\r\n", "\u{2028}", "---\n", "- ", ": "]

  private static func text(_ generator: inout SeededGenerator) -> String {
    let lines = (0..<Int.random(in: 1...5, using: &generator)).map { index in
      "k\(index): \(values.randomElement(using: &generator) ?? "")"
    }
    var text = Array(lines.joined(separator: "\n").unicodeScalars)
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let place = Int.random(in: 0...text.count, using: &generator)
      if Bool.random(using: &generator) {
        text.insert(
          contentsOf: (noise.randomElement(using: &generator) ?? "").unicodeScalars, at: place)
      } else if place < text.count {
        text.remove(at: place)
      }
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: text)
    return String(view)
  }

  /// Whether Yams finds an anchor or an alias; `nil` for a text that it does not take.
  private static func hasAnchor(_ text: String) -> Bool? {
    do {
      let parser = try Yams.Parser(yaml: text, resolver: .basic)
      // Nodes hold their anchors weakly; the parser keeps them.
      return try withExtendedLifetime(parser) {
        try parser.singleRoot().map { isAnchored($0) } ?? false
      }
    } catch YamlError.composer(_, let problem, _, _) where problem.contains("undefined alias") {
      return true
    } catch {
      return nil
    }
  }

  private static func isAnchored(_ node: Node) -> Bool {
    if node.anchor != nil { return true }
    return switch node {
    case .scalar, .alias: false
    case .sequence(let elements): elements.contains { isAnchored($0) }
    case .mapping(let pairs): pairs.contains { isAnchored($0.key) || isAnchored($0.value) }
    }
  }

  /// What Yams takes is refused if and only if an anchor or an alias is in it.
  @Test func tokensAreToldApartAsYamsDoes() {
    var generator = SeededGenerator(seed: 17)
    var (anchored, plain) = (0, 0)
    for _ in 0..<3000 {
      let text = Self.text(&generator)
      guard let hasAnchor = Self.hasAnchor(text) else { continue }
      #expect((YAMLScan.refusal(of: text) != nil) == hasAnchor, "\(text.debugDescription)")
      if hasAnchor { anchored += 1 } else { plain += 1 }
    }
    #expect(anchored > 200 && plain > 200, "\(anchored) \(plain)")
  }
}
