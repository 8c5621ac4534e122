/// A reader of the dates in HTTP fields, RFC 9110 §5.6.7.
enum HTTPDate {
  /// Returns the seconds since 1970 that a date means; `nil` when the text is no date.
  ///
  /// All three forms are read: `Sun, 06 Nov 1994 08:49:37 GMT`, the RFC 850 form with a two-digit
  /// year, and the form of C's `asctime`.
  ///
  /// - Parameter now: the seconds since 1970, to which a two-digit year is related.
  static func seconds(from text: String, now: Int64) -> Int64? {
    guard text.utf8.count <= 64 else { return nil }
    let words = text.split { " ,-".contains($0) }.map(String.init)
    if words.count == 6, words[5] == "GMT" {
      // Sun 06 Nov 1994 08:49:37 GMT, Sunday 06 Nov 94 08:49:37 GMT
      guard let day = number(words[1], digits: 2...2), let month = month(words[2]),
        let year = year(words[3], now: now), let time = secondsOfDay(words[4])
      else { return nil }
      return seconds(year: year, month: month, day: day, secondsOfDay: time)
    }
    if words.count == 5 {
      // Sun Nov  6 08:49:37 1994
      guard let month = month(words[1]), let day = number(words[2], digits: 1...2),
        let time = secondsOfDay(words[3]), let year = number(words[4], digits: 4...4)
      else { return nil }
      return seconds(year: year, month: month, day: day, secondsOfDay: time)
    }
    return nil
  }

  private static func number(_ text: String, digits: ClosedRange<Int>) -> Int64? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int64(text)
  }

  private static func month(_ text: String) -> Int64? {
    let names = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    return names.firstIndex(of: text).map { Int64($0 + 1) }
  }

  /// Returns a year; two digits mean the latest year that is at most 50 years ahead.
  private static func year(_ text: String, now: Int64) -> Int64? {
    if let year = number(text, digits: 4...4) { return year }
    guard let short = number(text, digits: 2...2) else { return nil }
    let thisYear = 1970 + now / 31_556_952
    let year = thisYear / 100 * 100 + short
    return year > thisYear + 50 ? year - 100 : year
  }

  private static func secondsOfDay(_ text: String) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = number(String(parts[0]), digits: 2...2),
      let minute = number(String(parts[1]), digits: 2...2),
      let second = number(String(parts[2]), digits: 2...2),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private static func seconds(
    year: Int64, month: Int64, day: Int64, secondsOfDay: Int64
  ) -> Int64? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...lengths[Int(month - 1)]).contains(day) else { return nil }
    // Days from 1970-01-01 in the Gregorian calendar, with years that begin in March.
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era * 146_097 + dayOfEra - 719_468) * 86_400 + secondsOfDay
  }
}
