import API
import Spool
import Settings
import Testing

@testable import RigConfiguration

/// Texts that are written to be expensive; each is answered at once and briefly.
@Suite(.timeLimit(.minutes(10))) struct HostileTextTests {
  static let start = "rig: { id: rig-1 }\nboard: linux\nspool: { directory: /var/lib/platen }\n"

  /// Returns the problems of a text; empty if there are none.
  static func issues(_ text: String) -> [ConfigurationIssue] {
    do throws(ConfigurationErrors) {
      _ = try PlatenConfiguration.parse(text, file: "platen.yaml")
      return []
    } catch {
      return error.issues
    }
  }

  /// Lists of which each is ten times the one before; the last stands for ten to the power of 30.
  private static let lists = (1...30).map { level in
    let alias = "*a\(level - 1)"
    return "a\(level): &a\(level) [\(Array(repeating: alias, count: 10).joined(separator: ", "))]"
  }.joined(separator: "\n")

  static let bombs: [String] = [
    // Values, which a reader walks through.
    "a0: &a0 [x]\n\(lists)\n",
    // Keys, which Yams itself compares.
    "a0: &a0 [x]\n\(lists)\n? *a30\n: x\n? [*a30]\n: x\n",
    // Sections in place of lists, and a merged section.
    "a0: &a0 { x: 1 }\na1: &a1 { b: *a0, c: *a0 }\na2: { b: *a1, c: *a1, <<: *a1 }\n",
    // A list that contains itself.
    "a0: &a0 [*a0]\n",
  ]

  @Test(arguments: bombs) func `aliases are refused before they are resolved`(_ bomb: String) {
    let found = Self.issues(Self.start + bomb)
    #expect(found.map(\.line) == [4] && found.map(\.column) == [5], "\(found)")
    #expect(
      found.first?.description.hasPrefix(
        "platen.yaml:4:5: anchors and aliases are not used in this configuration") == true,
      "\(found)")
    var editor = ConfigurationEditor(Self.start + bomb)
    do throws(ConfigurationEditError) {
      try editor.set("board", to: "simulated")
      Issue.record("edited")
    } catch {
      #expect(error.problem.contains("line 4 of the file as it is: anchors"), "\(error)")
    }
  }

  @Test func `the API answers a bomb`() async {
    let file = ConfigurationFile(store: ConfigurationStore(path: "platen.yaml"), running: nil)
    let report = await file.checkConfiguration(Self.bombs.joined())
    #expect(report.issues.count == 1, "\(report)")
    #expect(report.issues.first?.hasPrefix("text:1:5: anchors and aliases") == true, "\(report)")
  }

  static let deep: [String] = [
    String(repeating: "[", count: 30_000), String(repeating: "{a: ", count: 15_000),
    String(repeating: "- ", count: 30_000), String(repeating: "? ", count: 30_000),
    "a: " + String(repeating: "[", count: 900) + String(repeating: "]", count: 900),
  ]

  @Test(arguments: deep) func `endless nesting is refused`(_ text: String) {
    let found = Self.issues(text)
    #expect(found.count == 1)
    #expect(found.first?.line == 1)
    #expect(found.first?.problem == "more than 32 lists and sections are in one another")
  }

  @Test func `anchor and alias characters within a text are accepted`() throws {
    let configuration = try PlatenConfiguration.parse(
      """
      rig: { id: rig-1, make: '*Acme* & Sons', model: R&D * 2 }
      board: linux # *fast* & &small
      spool: { directory: "/srv/&spool*" }
      """, file: "platen.yaml")
    #expect(configuration.make == "*Acme* & Sons" && configuration.model == "R&D * 2")
    #expect(configuration.spool.directory == "/srv/&spool*")
  }

  @Test func `duplicate keys are reported up to a hundred`() {
    let twice = (0..<5000).map { "k\($0): 1\nk\($0): 2\n" }.joined()
    let found = Self.issues(Self.start + twice)
    #expect(found.count == 101)
    #expect(found.first?.key == "k0" && found.first?.line == 5 && found.first?.column == 1)
    #expect(found.dropLast().allSatisfy { $0.problem == "is there twice" })
    #expect(found.dropLast().map(\.line) == (0..<100).map { 5 + 2 * $0 })
    #expect(found.last?.line == 203 && found.last?.key == "")
    #expect(found.last?.problem.hasPrefix("more is wrong than these 100") == true, "\(found)")
  }

  @Test func `unknown keys are reported up to a hundred`() {
    let name = String(repeating: "x", count: 30)
    let found = Self.issues(Self.start + (0..<1500).map { "\(name)\($0): 1\n" }.joined())
    #expect(found.count == 101)
    #expect(found.first?.line == 4 && found.last?.line == 103)
    #expect(found.last?.problem.hasPrefix("more is wrong than these 100") == true, "\(found)")
  }

  @Test func `a hundred issues are reported without a further one`() {
    let found = Self.issues(Self.start + (0..<100).map { "k\($0): 1\n" }.joined())
    #expect(found.count == 100)
    #expect(found.allSatisfy { $0.problem.contains("unknown") })
  }

  /// A duplicate key is compared only with the keys of its own section.
  @Test func `a duplicate key is reported at its last place`() {
    let found = Self.issues(
      Self.start
        + """
        targets:
          a: 1
          b: 2
          # Others.
          b: 3

          a: 4
        log:
          a: 5
        """)
    #expect(found.map(\.key) == ["b", "a"], "\(found)")
    #expect(found.map(\.line) == [8, 10] && found.map(\.column) == [3, 3], "\(found)")
  }

  @Test func `a key is compared as text`() {
    #expect(Self.issues(Self.start + "1: a\n'1': b\n").contains { $0.problem == "is there twice" })
  }
}
