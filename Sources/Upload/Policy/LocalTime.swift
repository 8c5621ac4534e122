/// A moment of the week by the wall clock.
package struct LocalTime: Sendable, Hashable {
  /// A day of the week; 0 is Monday.
  package enum Weekday: Int, Sendable, Hashable, Codable, CaseIterable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
  }

  /// The day of the week.
  package var weekday: Weekday
  /// The seconds since midnight, 0..<86,400.
  package var secondOfDay: Int

  package init(weekday: Weekday, secondOfDay: Int) {
    precondition((0..<86_400).contains(secondOfDay), "a day has no second \(secondOfDay)")
    self.weekday = weekday
    self.secondOfDay = secondOfDay
  }

  /// Makes the moment that a clock shows.
  ///
  /// - Parameters:
  ///   - wallNanoseconds: nanoseconds since 1970-01-01T00:00:00Z.
  ///   - secondsFromGMT: the seconds by which local time is ahead of GMT at that moment.
  package init(wallNanoseconds: Int64, secondsFromGMT: Int) {
    let (seconds, _) = Self.divide(wallNanoseconds, by: 1_000_000_000)
    let (day, second) = Self.divide(seconds + Int64(secondsFromGMT), by: 86_400)
    // The first of January 1970 was a Thursday.
    let weekday = Self.divide(day + 3, by: 7).remainder
    self.init(weekday: Weekday(rawValue: Int(weekday)) ?? .monday, secondOfDay: Int(second))
  }

  /// Divides toward minus infinity, for moments before 1970.
  private static func divide(
    _ value: Int64, by divisor: Int64
  ) -> (quotient: Int64, remainder: Int64) {
    let remainder = (value % divisor + divisor) % divisor
    return ((value - remainder) / divisor, remainder)
  }
}

/// A time of day by the wall clock, in whole minutes.
package struct TimeOfDay: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The minutes since midnight, 0..<1,440.
  package let minute: Int

  /// Reads a time such as `06:30`; `nil` unless the text is `HH:MM` from `00:00` to `23:59`.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({
        $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    self.minute = hour * 60 + minute
  }

  /// The time as `HH:MM`.
  package var description: String {
    let digits = [minute / 600, minute / 60 % 10, minute % 60 / 10, minute % 10]
    return "\(digits[0])\(digits[1]):\(digits[2])\(digits[3])"
  }
}
