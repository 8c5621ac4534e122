import Foundation
import Testing

@testable import Console

/// The preparation of a part of a support bundle.
@Suite struct SupportPartTests {
  private func part(
    _ form: SupportPart.Form, _ kept: SupportPart.Kept = .beginning, maximumBytes: Int = 1 << 20
  ) -> SupportPart {
    SupportPart(name: "x", form: form, kept: kept, maximumBytes: maximumBytes) {
      _ throws(Unavailable) in []
    }
  }

  private func prepared(_ part: SupportPart, _ text: String) -> (String, Int) {
    let (bytes, cut) = part.prepared(Array(text.utf8))
    return (String(decoding: bytes, as: UTF8.self), cut)
  }

  @Test func `a long text is cut at a line and marked`() {
    let text = "one\ntwo\nthree\nfour\n"
    #expect(prepared(part(.text, maximumBytes: 100), text) == (text, 0))
    #expect(
      prepared(part(.text, maximumBytes: 9), text)
        == ("one\ntwo\n(11 bytes after this were cut)\n", 11))
    #expect(
      prepared(part(.text, .end, maximumBytes: 12), text)
        == ("(8 bytes before this were cut)\nthree\nfour\n", 8))
    let (line, cut) = prepared(part(.text, maximumBytes: 4), "abcdefgh")
    #expect(line == "abcd\n(4 bytes after this were cut)\n" && cut == 4)
  }

  /// A cut that removes the name of a secret would leave its value.
  @Test func `secrets are removed before the cut`() {
    let text = String(repeating: "x", count: 50) + "\npassword: |\n  hunter2\n"
    for limit in 1..<80 {
      #expect(!prepared(part(.text, .end, maximumBytes: limit), text).0.contains("hunter"))
    }
  }

  @Test func `JSON is made readable and its secrets are removed`() {
    #expect(
      prepared(part(.json), "{\"token\":\"x\",\"a\":1}").0
        == "{\n  \"a\" : 1,\n  \"token\" : \"(redacted)\"\n}\n")
    #expect(
      prepared(part(.jsonLines), "{\"b\":\"/x\"}\n{\"token\":\"x\",").0
        == "{\"b\":\"/x\"}\n{\"token\":\"(redacted)\",\n")
  }

  @Test(arguments: [
    ("rig-1", "rig-1"), ("../..", "_____"), ("a b;c\u{202E}", "a_b_c_"), ("", ""),
    ("Rig 7ä", "Rig_7_"),
  ])
  func `the name suits every file system`(_ rig: String, _ expected: String) {
    let name = SupportBundle.name(rig: rig, time: Date(timeIntervalSince1970: 1_763_800_000))
    #expect(name == "platen-support-\(expected)-20251122T082640Z")
  }

  @Test func `Base64 lines have the length of coreutils`() throws {
    let data = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let lines = Base64Text.pieces(of: data, linesOfPiece: 5).flatMap { $0 }
    #expect(lines.dropLast().allSatisfy { $0.count == 76 })
    #expect(Data(base64Encoded: lines.joined()) == data)
  }
}
