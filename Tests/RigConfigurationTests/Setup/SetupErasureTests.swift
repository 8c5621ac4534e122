import Settings
import Testing

@testable import RigConfiguration

/// The erasure of secrets from a setup file.
@Suite struct SetupErasureTests {
  private static let rig = "rig: { id: r }\n"

  private func erase(_ text: String) throws -> String {
    try SetupDocumentTests.document(text).textWithoutSecrets { "credential:\($0.name)" }
  }

  @Test func `only the secret changes and a comment tells how to replace it`() throws {
    let text = SetupDocumentTests.text
    let erased = try erase(text)
    let lines = erased.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[0].hasPrefix("# The rig has moved the secrets"))
    let expected = text.replacing(
      "password: \"under the: platen\"",
      with: "password_file: \"credential:platen.targets.office.password\"")
    #expect(lines.dropFirst().joined(separator: "\n") == expected)
  }

  @Test(
    arguments: [
      "targets: { a: { kind: put, url: \"https://a/\", user: u, password: kept-secret } }\n",
      "targets: { a: { kind: put, url: \"https://a/\", user: u, \"password\": 'kept-secret' } }",
      "targets:\n  a:\n    kind: put\n    url: https://a/\n    password: |\n      kept-\n"
        + "      kept-secret\n    # the user\n    user: u\n",
      "targets:\n  a:\n    kind: put\n    url: https://a/\n    user: u\n    password: >\n"
        + "      kept-secret",
      "targets:\n  a:\n    kind: put\n    user: u\n    password: kept-secret\n      again\n"
        + "    url: https://a/\n",
      "targets:\n  a: { kind: put, user: u, password: kept-secret\n      again, url: \"https://a/\" }\n",
      "targets:\r\n  a:\r\n    kind: put\r\n    url: https://a/\r\n    user: u\r\n"
        + "    password: kept-secret\r\n",
    ] as [String])
  func `no layout keeps a secret`(_ targets: String) throws {
    let erased = try erase(Self.rig + targets)
    #expect(!erased.contains("kept-"), "\(erased)")
    let found = try SetupDocumentTests.document(erased)
    #expect(found.secrets.isEmpty)
    let text = try #require(found.configurationText { _ in "" })
    #expect(text.contains("password_file: \"credential:platen.targets.a.password\""))
    #expect(text.contains("user: u") && text.contains("https://a/"))
  }

  @Test func `a new secret replaces an erased one and the comment stays one`() throws {
    let once = try erase(SetupDocumentTests.text)
    let again = once.replacing(
      "password_file: \"credential:platen.targets.office.password\"", with: "password: new")
    #expect(try erase(again) == once)
  }

  @Test func `a file without secrets stays as it is`() throws {
    #expect(try erase(Self.rig) == Self.rig)
  }
}
