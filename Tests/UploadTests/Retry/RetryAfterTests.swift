import TestSupport
import Testing

@testable import Upload

@Suite struct RetryAfterTests {
  private let now: Int64 = 784_111_777  // Sun, 06 Nov 1994 08:49:37 GMT

  @Test(
    arguments: [
      ("120", 120), ("0", 0), (" 7 ", 7), ("007", 7), ("3600", 3600),
      ("99999999999999999999999999", 999_999_999),
      ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
      ("Sun Nov  6 08:49:38 1994", 1),
    ] as [(String, Int64)])
  func `seconds and dates are read`(value: String, seconds: Int64) {
    #expect(RetryAfter.wait(value, date: nil, now: now) == .seconds(seconds))
  }

  @Test(arguments: [
    "", " ", "-1", "+5", "1.5", "5s", "soon", "0x10", "٣", "Sun, 06 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1984 08:49:37 GMT", "1e3", "5, 6",
  ])
  func `unusable values give no wait`(value: String) {
    #expect(RetryAfter.wait(value, date: nil, now: now) == nil)
  }

  @Test func `a date is compared with the server's clock`() {
    let until = "Sun, 06 Nov 1994 08:50:37 GMT"
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(RetryAfter.wait(until, date: date, now: 0) == .seconds(60))
    #expect(RetryAfter.wait(until, date: date, now: 4_000_000_000) == .seconds(60))
    #expect(RetryAfter.wait(until, date: "garbage", now: now) == .seconds(60))
  }

  @Test func `random values neither trap nor give a negative wait`() {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    let words = [
      "Sun", ",", " ", "06", "Nov", "1994", "08:49:37", "GMT", "-", "99", "0", "\t", "é", "\0",
      "31",
      "9999", "Feb", ":", "1", "٣",
    ]
    var usable = 0
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        words[Int.random(in: 0..<words.count, using: &random)]
      }.joined()
      let now = Int64.random(in: -10_000_000_000...10_000_000_000, using: &random)
      guard let wait = RetryAfter.wait(text, date: text, now: now) else { continue }
      usable += 1
      #expect(wait >= .zero && wait <= .seconds(400_000_000_000), "\(text), seed \(seed)")
    }
    #expect(usable > 0)
  }
}
