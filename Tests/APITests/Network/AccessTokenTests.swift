import Testing
import TestSupport

@testable import API

@Suite struct AccessTokenTests {
  @Test func `a token is found by its text alone`() throws {
    let made = (0..<3).map { _ in AccessToken.make() }
    let tokens = try made.enumerated().map { index, one in
      try #require(AccessToken(name: "t\(index)", hash: one.hash, permission: .read))
    }
    for (index, one) in made.enumerated() {
      #expect(one.token.hasPrefix("platen_") && one.token.utf8.count == 50)
      #expect(AccessToken.find(one.token, among: tokens)?.name == "t\(index)")
      for wrong in [one.hash, String(one.token.dropLast()), one.token + " ", "", " " + one.token] {
        #expect(AccessToken.find(wrong, among: tokens) == nil)
      }
    }
    #expect(Set(made.map(\.token)).count == 3)
    #expect(AccessToken.find(made[0].token, among: []) == nil)
  }

  /// The hash comes from sha256sum(1): `printf platen_x | sha256sum`.
  @Test func `the hash is that of the token's text`() async throws {
    let tool = try await Tool.run(
      "/bin/sh", ["-c", "printf %s platen_example | sha256sum | cut -c 1-64"])
    let hash = "sha256:" + tool.output.filter { $0 != "\n" }
    let token = try #require(AccessToken(name: "x", hash: hash, permission: .act))
    #expect(AccessToken.find("platen_example", among: [token]) == token)
    let upper = AccessToken(
      name: "x", hash: "sha256:" + hash.dropFirst(7).uppercased(), permission: .act)
    #expect(upper == token)
  }

  @Test(arguments: [
    "", "sha256:", "sha256:abcd", "sha1:" + String(repeating: "a", count: 64),
    "sha256:" + String(repeating: "g", count: 64), "sha256:" + String(repeating: "a", count: 63),
    "sha256:" + String(repeating: "a", count: 65), "sha256:" + String(repeating: "+a", count: 32),
    "sha256:" + String(repeating: "ü", count: 32), String(repeating: "a", count: 64),
  ])
  func `an invalid hash is refused`(_ text: String) {
    #expect(AccessToken(name: "x", hash: text, permission: .read) == nil)
  }

  @Test func `platenctl makes a token and its hash`() async throws {
    let tool = try await Tool.platenctl(["token"], socket: "/unused")
    let words = tool.output.split(whereSeparator: \.isWhitespace).map(String.init)
    #expect(tool.exitCode == 0 && words.count == 4 && words[0] == "token" && words[2] == "hash")
    let token = try #require(AccessToken(name: "x", hash: words[3], permission: .read))
    #expect(AccessToken.find(words[1], among: [token]) != nil)
  }
}
