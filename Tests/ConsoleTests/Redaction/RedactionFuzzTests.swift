import API
import TestSupport
import Testing

@testable import Console

/// A planted secret never survives, with any text around it.
@Suite struct RedactionFuzzTests {
  private static let letters = Array(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
  private static let others = Array("!$%&()*+,-./:;<=>?[]^_{|}~ \"'#@\\`äß€")

  /// Returns a person's password: letters, digits and other keyboard characters on one line.
  private func password(
    _ generator: inout SeededGenerator, besides excluded: Set<Character> = []
  ) -> String {
    let length = Int.random(in: 8...24, using: &generator)
    let signs = (Self.letters + Self.others).filter { !excluded.contains($0) }
    // The password always contains the needle by which the test finds it.
    let body = (0..<length).map { _ in signs.randomElement(using: &generator) ?? "x" }
    return "N33dle" + String(body) + "N33dle"
  }

  /// Returns a secret that is recognized by its form.
  private func key(_ generator: inout SeededGenerator) -> String {
    let signs = Self.letters + Array("+/-_")
    let length = Int.random(in: 20...64, using: &generator)
    let body = (0..<length).map { _ in signs.randomElement(using: &generator) ?? "x" }
    return "N33dle" + String(body)
  }

  /// Returns lines that hold a secret, each in another way.
  private func lines(_ generator: inout SeededGenerator) throws -> [String] {
    let name =
      ["password", "db.Password", "api_key", "apiToken", "client-secret", "PSK", "x-auth-token"]
      .randomElement(using: &generator) ?? "password"
    let any = password(&generator)
    let quoted = String(
      decoding: try APICoding.encode(JSONValue.object([name: .string(any), "z": .integer(1)])),
      as: UTF8.self)
    let nested = String(
      decoding: try APICoding.encode(JSONValue.object(["text": .string("k \(quoted) k")])),
      as: UTF8.self)
    let inURL = password(&generator, besides: Set("\"'`<> "))
    let inQuery = password(&generator, besides: Set("\"'`<> "))
    let plain = password(&generator, besides: Set("\"'` "))
    return [
      "\(name): \(any)", "\(name)=\(any)", "  - { \(name): \(any), a: b }", quoted, nested,
      "\(name): '\(any.replacing("'", with: "''"))'", "\(name):\n    \(any)\n    \(any)",
      "http://bob:\(inURL)@host/path", "\"https://\(inURL)@host\"",
      "s3 http://host/path?X-Amz=\(inQuery)&b", "sftp://host/#\(inQuery)",
      "Authorization: Basic \(plain)", "Bearer \(plain)", "run --\(name.lowercased()) \(plain)",
      "the token \(key(&generator)) is not known", "\(key(&generator))",
      "platen_\(key(&generator))", "\"\(key(&generator))\"",
      "-----BEGIN RSA PRIVATE KEY-----\n\(any)\n\(any)\n-----END RSA PRIVATE KEY-----",
    ]
  }

  @Test(arguments: 0..<20)
  func `no planted secret survives`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<12 {
      for line in try lines(&generator) {
        let before =
          ["", "  ", "12:00:01 notice: ", "k=v; ", "\u{FFFD}ä "]
          .randomElement(using: &generator) ?? ""
        // A value below a name must be indented deeper than the name.
        let text = line.contains("\n") ? line : before + line
        let redacted = Redaction.redacting("first\n\(text)\nlast: 7")
        #expect(!redacted.contains("N33dle"), "\(text.debugDescription)")
        #expect(redacted.hasPrefix("first\n") && redacted.hasSuffix("last: 7"))
        #expect(Redaction.redacting(redacted) == redacted, "\(redacted.debugDescription)")
        let value = Redaction.redacting(
          .object(["message": .string(text), "list": .array([.string(text)])]))
        let json = String(decoding: try APICoding.encode(value), as: UTF8.self)
        #expect(!json.contains("N33dle"), "\(text.debugDescription)")
      }
    }
  }

  @Test(arguments: ["password=\\''", "token: \\\\\"\"", "secret=\\\"\"x"])
  func `an escaped quote before an empty value is tolerated`(text: String) {
    #expect(Redaction.redacting(Redaction.redacting(text)) == Redaction.redacting(text))
  }

  @Test func `any bytes are tolerated`() {
    var generator = TestSeed.generator()
    let words = [
      "password", "token", ":", "=", "\"", "'", "\\", "://", "@", "?", "#", "{", "[", "|", "\n",
      " ",
      "-----BEGIN ", "-----END ", "-----", "Bearer", "--secret", "-u", "a:b", "(redacted)", "\r",
      "é",
    ]
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 0...20, using: &generator))
        .map { _ in words.randomElement(using: &generator) ?? "" }.joined()
      let once = Redaction.redacting(text)
      let lineFeed = UInt8(ascii: "\n")
      #expect(
        once.utf8.count { $0 == lineFeed } == text.utf8.count { $0 == lineFeed },
        "\(text.debugDescription)")
    }
  }
}
