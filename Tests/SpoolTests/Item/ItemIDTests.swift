import TestSupport
import Testing

@testable import Spool

struct ItemIDTests {
  @Test(arguments: [
    (Int64(1), Int64(1), UInt64(0), "000001-0000000001-0000000000000000"),
    (0x2a, 12345, 0x9f86_d081_884c_7d65, "00002a-0000012345-9f86d081884c7d65"),
    (1 << 48, 1 << 48, .max, "1000000000000-281474976710656-ffffffffffffffff"),
  ])
  func `An ID is written and read back`(
    boot: Int64, sequence: Int64, random: UInt64, text: String
  ) throws {
    let id = ItemID(boot: boot, sequence: sequence, random: random)
    #expect(id.description == text)
    #expect(ItemID(text) == id)
    #expect(id.shard == String(text.suffix(2)))
  }

  @Test(arguments: [
    "", "-", "--", "1-1-1", "000001-0000000001-000000000000000",
    "00001-0000000001-0000000000000000",
    "000000-0000000001-0000000000000000", "000001-0000000000-0000000000000000",
    "+00001-0000000001-0000000000000000", "000001-+000000001-0000000000000000",
    "00002A-0000000001-0000000000000000", "000001-0000000001-0000000000000000-",
    "0000001-0000000001-0000000000000000", "000001-0000000001-00000000000000000",
    "../../etc/passwd", "000001/0000000001-0000000000000000",
    "1000000000001-0000000001-0000000000000000", "000001-281474976710657-0000000000000000",
    "7fffffffffffffff-9223372036854775807-ffffffffffffffff",
    "000001-0000000001-000000000000000\u{0}", "８00001-0000000001-0000000000000000",
  ])
  func `Text in another spelling is not an ID`(text: String) {
    #expect(ItemID(text) == nil)
  }

  @Test func `Names sort by age`() {
    var random = TestSeed.generator()
    let ids = [(1, 9), (1, 10), (2, 11), (15, 12), (16, 999_999_999), (255, 1_000_000_000)].map {
      ItemID(boot: $0, sequence: $1, random: random.next()).description
    }
    #expect(ids == ids.sorted(), "seed \(TestSeed.value)")
  }

  @Test func `Every ID that is read is spelled the same`() {
    let seed = TestSeed.value
    print("item ID fuzz: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("0123456789abcdefABCDEF-+ ./_")
    var read = 0
    for _ in 0..<20_000 {
      var text = Array(
        ItemID(
          boot: .random(in: 1...ItemID.numberLimit, using: &random),
          sequence: .random(in: 1...99_999, using: &random), random: random.next()
        ).description)
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let place = Int.random(in: 0..<text.count, using: &random)
        text[place] = alphabet.randomElement(using: &random) ?? "0"
      }
      if let id = ItemID(String(text)) {
        read += 1
        #expect(id.description == String(text), "seed \(seed)")
      }
    }
    #expect(read > 6000)
  }
}
