/// An instant of the wall clock with the offset of local time.
package struct WallClockTime: Sendable, Hashable, Codable {
  /// The nanoseconds since 1970-01-01 00:00 UTC, without leap seconds (`CLOCK_REALTIME`).
  package var nanosecondsSince1970: Int64
  /// The minutes by which local time is ahead of UTC, −1439...1439; other values are clamped.
  package var utcOffsetMinutes: Int

  package init(nanosecondsSince1970: Int64, utcOffsetMinutes: Int = 0) {
    self.nanosecondsSince1970 = nanosecondsSince1970
    self.utcOffsetMinutes = min(max(utcOffsetMinutes, -1439), 1439)
  }

  /// The local date and time in Exif's form, for example `2026:03:01 09:08:07`.
  var exifDateTime: String {
    let localSeconds = Self.floorDivide(nanosecondsSince1970, 1_000_000_000) + offsetSeconds
    let day = Self.floorDivide(localSeconds, 86400)
    let second = localSeconds - day * 86400
    let date = Self.civilDate(daysSince1970: day)
    return Self.padded(date.year, 4) + ":" + Self.padded(date.month, 2) + ":"
      + Self.padded(date.day, 2) + " " + Self.padded(second / 3600, 2) + ":"
      + Self.padded(second / 60 % 60, 2) + ":" + Self.padded(second % 60, 2)
  }

  /// The milliseconds within the second, as three digits.
  var exifSubSecond: String {
    let remainder = nanosecondsSince1970 % 1_000_000_000
    let nanoseconds = remainder < 0 ? remainder + 1_000_000_000 : remainder
    return Self.padded(nanoseconds / 1_000_000, 3)
  }

  /// The offset in Exif's form, for example `+05:30`.
  var exifOffset: String {
    let minutes = Int64(abs(utcOffsetMinutes))
    return (utcOffsetMinutes < 0 ? "-" : "+") + Self.padded(minutes / 60, 2) + ":"
      + Self.padded(minutes % 60, 2)
  }

  private var offsetSeconds: Int64 { Int64(utcOffsetMinutes) * 60 }

  private static func padded(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private static func floorDivide(_ dividend: Int64, _ divisor: Int64) -> Int64 {
    dividend / divisor - (dividend % divisor < 0 ? 1 : 0)
  }

  /// Returns the Gregorian date of a day; months count from March, so that leap days come last.
  private static func civilDate(
    daysSince1970 days: Int64
  ) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
