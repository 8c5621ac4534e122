import Digests
import Testing

@testable import Spool

struct RemoteNameTests {
  @Test(arguments: [
    (Int64(0), "1970/01/01"), (-1, "1969/12/31"), (86_399_999_999_999, "1970/01/01"),
    (86_400_000_000_000, "1970/01/02"), (951_782_400_000_000_000, "2000/02/29"),
    (1_795_219_200_000_000_000, "2026/11/21"), (.max, "2262/04/11"), (.min, "1677/09/21"),
  ])
  func `The date in a name is in UTC`(wall: Int64, date: String) {
    let id = ItemID(boot: 1, sequence: 2, random: 3)
    let name = RemoteName.make(
      rigID: "rig-1", wallNanoseconds: wall, id: id, sha256: Array(0..<32), fileExtension: "jpg")
    #expect(name == "rig-1/\(date)/000001-0000000002-0000000000000003-0001020304050607.jpg")
  }

  @Test(arguments: [
    ("rig-1", true), ("A.b_c-9", true), (String(repeating: "a", count: 64), true), ("", false),
    (".hidden", false), ("..", false), ("a/b", false), ("a b", false), ("ü", false),
    ("a\u{0}", false), (String(repeating: "a", count: 65), false),
  ])
  func `Rig IDs must be in the spool's alphabet`(text: String, isValid: Bool) {
    #expect(RemoteName.isValidRigID(text) == isValid)
  }

  @Test(arguments: [
    ("jpg", true), ("dng", true), ("j2k", true), ("json", false), ("part", false), ("", false),
    ("JPG", false), ("a.b", false), ("a/b", false), ("abcdefghi", false),
  ])
  func `Extensions must be in the spool's alphabet`(text: String, isValid: Bool) {
    #expect(RemoteName.isValidFileExtension(text) == isValid)
  }

  @Test func `Hexadecimal digits are converted both ways`() {
    let bytes = [UInt8](0...255)
    #expect([UInt8](hexadecimal: bytes.hexadecimal) == bytes)
    #expect([UInt8](hexadecimal: "0g") == nil)
    #expect([UInt8](hexadecimal: "012") == nil)
  }
}
