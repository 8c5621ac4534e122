import Foundation
import TestSupport
import Testing

@testable import Imaging

struct WallClockTimeTests {
  @Test(arguments: 0..<4)
  func `Dates agree with Foundation's calendar over five centuries`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy:MM:dd HH:mm:ss"
    for _ in 0..<500 {
      let seconds = Int64.random(in: -8_500_000_000...9_200_000_000, using: &generator)
      let offset = Int.random(in: -14 * 60...14 * 60, using: &generator)
      let time = WallClockTime(
        nanosecondsSince1970: seconds * 1_000_000_000
          + Int64.random(in: 0..<1_000_000_000, using: &generator), utcOffsetMinutes: offset)
      // Foundation follows the Julian calendar before 1582, which the range does not reach.
      formatter.timeZone = TimeZone(secondsFromGMT: offset * 60)
      let wanted = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
      #expect(time.exifDateTime == wanted, "seed \(seed)")
    }
  }

  @Test(
    arguments: [
      (0, 0, "1970:01:01 00:00:00", "000", "+00:00"),
      (-1, 0, "1969:12:31 23:59:59", "999", "+00:00"),
      (951_782_400_000_000_000, 0, "2000:02:29 00:00:00", "000", "+00:00"),
      (1_798_761_599_999_999_999, 0, "2026:12:31 23:59:59", "999", "+00:00"),
      (1_798_761_599_999_999_999, 60, "2027:01:01 00:59:59", "999", "+01:00"),
      (0, -9999, "1969:12:31 00:01:00", "000", "-23:59"),
      (Int64.max, 0, "2262:04:11 23:47:16", "854", "+00:00"),
      (Int64.min, 0, "1677:09:21 00:12:43", "145", "+00:00"),
    ] as [(Int64, Int, String, String, String)])
  func `Edges of days, years and seconds are written right`(
    _ nanoseconds: Int64, _ offset: Int, _ date: String, _ fraction: String, _ zone: String
  ) {
    let time = WallClockTime(nanosecondsSince1970: nanoseconds, utcOffsetMinutes: offset)
    #expect(time.exifDateTime == date)
    #expect(time.exifSubSecond == fraction)
    #expect(time.exifOffset == zone)
  }
}
