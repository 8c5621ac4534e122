import TestSupport
import Testing

@testable import RigConfiguration

@Suite struct ConfigurationTextTests {
  static let secrets = [
    "password: hunter2", "  password : hunter2 # old", "a: { password: hunter2, b: 1 }",
    "\"token\": hunter2", "api: { tokens: [hunter2] }", "# password: hunter2",
    "secret: |\n  hunter2\n\n  hunter2", "private_key: >\n    hunter2", "Passphrase: 'hunter2'",
    "url: https://me:hunter2@host/x", "credential: hunter2", "my-password:\n  - hunter2",
    "tokens:\n- hunter2", "password_file: hunter2", "a: { token_file: 'hunter2', b: 1 }",
    "a: { password_file: /etc/p, secret_key_file: hunter2 }", "# token_file: hunter2 # old",
    "password_file: credential:hunter2/x", "secret_key_file: |\n  hunter2",
    "password_file:\n  hunter2", "\"token_file\": \"hunter2\"", "client_key: |\n  hunter2",
    "password_file: &p hunter2",
  ]

  @Test(arguments: secrets) func `a possible secret is masked`(_ text: String) {
    let masked = ConfigurationText.masked(text)
    #expect(!masked.contains("hunter2"))
    #expect(masked.contains(ConfigurationText.mask))
  }

  static let harmless = [
    "password_file: /etc/p", "secret_key_file: \"credential:archive\"", "token_file: /t # mine",
    "a: { password_file: \"/etc/p\", token_file: credential:b, client_key: /etc/k }",
    "access_key_id: AKIA", "url: https://host/x", "a: 1\n\n# note\nb: 2", "frame_rate: 25",
  ]

  @Test(arguments: harmless) func `harmless text is shown unchanged`(_ text: String) {
    #expect(ConfigurationText.masked(text) == text)
  }

  @Test func `text after a secret is shown again`() {
    let text = "a:\n  password: |\n    x\n  b: 1\nc: 2"
    #expect(
      ConfigurationText.masked(text) == "a:\n  password: (not shown)\n    (not shown)\n  b: 1\nc: 2"
    )
  }

  @Test func `a difference shows the change with its context`() {
    let old = (1...9).map { "line \($0)" }.joined(separator: "\n")
    let new = old.replacing("line 5", with: "line five")
    #expect(
      ConfigurationText.difference(from: old, to: new) == [
        " line 3", " line 4", "-line 5", "+line five", " line 6", " line 7",
      ])
    #expect(ConfigurationText.difference(from: old, to: old).isEmpty)
    #expect(ConfigurationText.difference(from: "a", to: "a\nb") == [" a", "+b"])
    #expect(ConfigurationText.difference(from: "a\nb", to: "b") == ["-a", " b"])
  }

  @Test(arguments: UInt64(1)...200)
  func `a difference contains both texts`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func text() -> [String] {
      (0...Int.random(in: 0..<12, using: &random)).map { _ in
        ["a", "b", "c", ""].randomElement(using: &random) ?? ""
      }
    }
    let (old, new) = (text(), text())
    let lines = ConfigurationText.difference(
      from: old.joined(separator: "\n"), to: new.joined(separator: "\n"), context: 100)
    guard old != new else {
      #expect(lines.isEmpty)
      return
    }
    #expect(lines.filter { !$0.hasPrefix("+") }.map { String($0.dropFirst()) } == old)
    #expect(lines.filter { !$0.hasPrefix("-") }.map { String($0.dropFirst()) } == new)
  }

  @Test func `texts that differ in very many lines are not compared line by line`() {
    let count = ConfigurationText.comparedLines + 1
    let old = (0..<count).map { "old \($0)" }
    let new = (0..<count).map { $0 == count / 2 ? "old 7" : "new \($0)" }
    let lines = ConfigurationText.difference(
      from: (["first"] + old).joined(separator: "\n"),
      to: (["first"] + new).joined(separator: "\n"))
    #expect(lines == [" first"] + old.map { "-" + $0 } + new.map { "+" + $0 })
  }
}
