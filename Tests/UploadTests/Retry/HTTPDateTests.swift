import Foundation
import TestSupport
import Testing

@testable import Upload

@Suite struct HTTPDateTests {
  private let now: Int64 = 1_763_720_000  // 2025-11-21

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
    ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
    ("Saturday, 01-Jan-28 00:00:00 GMT", 1_830_297_600),
  ])
  func `dates are read in all forms`(text: String, seconds: Int64) {
    #expect(HTTPDate.seconds(from: text, now: now) == seconds)
  }

  @Test(arguments: [
    "", "GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
    "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:61:37 GMT",
    "Thu, 29 Feb 2023 00:00:00 GMT", "Sun, 06 Nov 99999 08:49:37 GMT",
    "Sun, 06 nov 1994 08:49:37 GMT",
    "Sun, +6 Nov 1994 08:49:37 GMT",
  ])
  func `text that is no date is refused`(text: String) {
    #expect(HTTPDate.seconds(from: text, now: now) == nil)
  }

  @Test func `dates agree with Foundation`() throws {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let seconds = Int64.random(in: -2_000_000_000...100_000_000_000, using: &random)
      let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
      #expect(HTTPDate.seconds(from: text, now: now) == seconds, "\(text), seed \(seed)")
    }
  }
}
