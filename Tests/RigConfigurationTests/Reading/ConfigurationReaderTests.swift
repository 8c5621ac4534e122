import Settings
import Testing

@testable import RigConfiguration

/// The messages about files that are no configuration; they quote none of the content.
@Suite struct ConfigurationReaderTests {
  /// Texts with a secret in them, and one of the problems that each must report.
  static let strangers: [(text: String, problem: String)] = [
    ("hunter2\n", "expected a section with keys, found text"),
    ("user = jig\npassword = hunter2\n", "expected a section with keys, found text"),
    ("- hunter2\n- b\n", "expected a section with keys, found a list"),
    ("password: hunter2\n", "is an unknown key"),
    ("board: hunter2\nspool: /x\n", "expected one of linux, simulated, found text"),
    ("log: hunter2\n", "expected a section with keys, found text"),
    ("log: { level: hunter2 }\n", "found text"),
    ("spool: { directory: hunter2 }\n", "expected an absolute path, found text"),
    ("camera: { standby: hunter2 }\n", "…"),
    ("targets: { a: { kind: put, url: \"http:hunter2\" } }\n", ""),
    ("targets: { \"hunter2 key\": { kind: put, url: x } }\n", ""),
    // Lines as in shadow(5) and gshadow(5): the colon at the end of a line makes a key of it.
    ("root:$y$hunter2:19000::::::\nbin:*:19000::::::\n", "is an unknown key"),
    ("hunter2:!::\nhunter2:!::\n", "is there twice"),
    // Texts at which YAML's own readers stop.
    ("a: \"hunter2\n", "the file is no YAML: "), ("a: hunter2: b\n", "the file is no YAML: "),
    ("a: [hunter2\n", "the file is no YAML: "), ("a: hunter2\u{7}\n", "the file is no YAML: "),
    ("hunter2\n---\nhunter2\n", "the file is no YAML: "),
  ]

  @Test(arguments: strangers)
  func `a file that is no configuration is not quoted`(_ stranger: (text: String, problem: String))
  {
    let found = HostileTextTests.issues(stranger.text)
    #expect(found.contains { $0.problem.contains(stranger.problem) }, "\(found)")
    #expect(!found.contains { $0.description.contains("hunter2") }, "\(found)")
  }

  @Test func `a key is named without its value`() {
    let keys = HostileTextTests.issues("password: x\n\"a b\": x\n").filter {
      $0.problem.contains("unknown")
    }
    #expect(keys.map(\.key) == ["password", "?"], "\(keys)")
    #expect(keys.map(\.line) == [1, 2])
  }

  /// The reader's own words are shown for any file: they help to repair the likeliest mistakes.
  @Test(
    arguments: [
      ("", "the file is empty; expected at least the section \"rig\""),
      ("log: { level: info }\n", "is missing; expected a section with the key \"id\""),
      ("rigg: { id: a }\n", "; did you mean \"rig\"?"),
    ])
  func `the expectation is reported for every file`(_ text: String, _ problem: String) {
    let found = HostileTextTests.issues(text)
    #expect(found.contains { $0.problem.hasSuffix(problem) }, "\(found)")
  }

  @Test func `an issue is reported once`() {
    let found = HostileTextTests.issues(HostileTextTests.start + "buttons: yes\n")
    #expect(found.count == 1, "\(found)")
  }

  @Test func `an unreadable character is reported with its place`() {
    let found = HostileTextTests.issues("a: b\nc: d\u{7}\n")
    #expect(found.map(\.line) == [2] && found.map(\.column) == [5], "\(found)")
  }

  @Test func `a configuration is quoted`() {
    let found = HostileTextTests.issues(HostileTextTests.start + "camera: fast\na b: 1\n")
    #expect(found.map(\.key) == ["camera", "a b"], "\(found)")
    #expect(found.first?.problem == "expected a section with keys, found \"fast\"", "\(found)")
  }
}
