package import Foundation

/// An instant that a person has typed, for setting a clock.
package struct ClockInstant: Sendable, Hashable {
  /// The reason why a text is not such an instant.
  package struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A problem in one or two sentences that quote the text.
    package let description: String
  }

  /// The accepted range in seconds since 1970: the years 2026 (the software's first) to 2099.
  static let plausibleSeconds: Range<Int64> = 1_767_225_600..<4_102_444_800

  /// Whole seconds since 1970-01-01T00:00:00Z.
  package let secondsSinceEpoch: Int64

  /// The typed text and the zone that was assumed for it; `nil` for a text with its own zone.
  private let assumption: Assumption?

  private struct Assumption: Sendable, Hashable {
    let text: String
    let zone: TimeZone
  }

  /// The instant in UTC, for example `2026-11-22T21:30:00Z`.
  package var text: String { date.formatted(.iso8601) }

  /// The instant in UTC and, for a text without a zone, the assumed zone.
  ///
  /// An example is `2026-11-22T20:30:00Z, which is 2026-11-22 21:30 in the rig's own zone,
  /// Europe/Berlin (UTC+01:00)`.
  package var explainedText: String {
    guard let assumption else { return text }
    let offset = assumption.zone.secondsFromGMT(for: date)
    let minutes = abs(offset) / 60
    let digits = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(text), which is \(assumption.text) in the rig's own zone, "
      + "\(assumption.zone.identifier) (UTC\(offset < 0 ? "-" : "+")\(digits[0]):\(digits[1]))"
  }

  private var date: Date { Date(timeIntervalSince1970: Double(secondsSinceEpoch)) }

  /// Parses RFC 3339 (`2026-11-22T21:30:00Z`) or a time without a zone (`2026-11-22 21:30`).
  ///
  /// Fractions of a second are ignored. An hour that occurs twice in autumn is ambiguous and means
  /// one of the two, as ``explainedText`` says; a zone resolves the ambiguity.
  ///
  /// - Parameters:
  ///   - text: the typed text.
  ///   - zone: the zone of a text that has none.
  /// - Throws: ``Problem`` for a text of another form, a nonexistent day or hour, and a year out of
  ///   range.
  package init(_ text: String, in zone: TimeZone = .current) throws(Problem) {
    let quoted = "\"\(text.prefix(40))\""
    guard let fields = Fields(text) else {
      throw Problem(
        description: "\(quoted) is no time: give it as 2026-11-22T21:30:00Z, with another zone as "
          + "2026-11-22T22:30:00+01:00, or in the rig's own zone as 2026-11-22 21:30.")
    }
    guard let seconds = fields.seconds(in: zone) else {
      throw Problem(
        description: "\(quoted) is no time: there is no such day, or no such hour in it.")
    }
    guard Self.plausibleSeconds.contains(seconds) else {
      throw Problem(description: "\(quoted) cannot be: a clock is set to the years 2026 to 2099.")
    }
    secondsSinceEpoch = seconds
    assumption = fields.hasZone ? nil : Assumption(text: text, zone: zone)
  }
}

/// The numbers of a time, each with its fixed count of digits.
private struct Fields {
  private var date = DateComponents()
  /// The offset in seconds east of UTC; `nil` without a zone.
  private var offset: Int?

  var hasZone: Bool { offset != nil }

  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (16...40).contains(bytes.count),
      let year = Self.number(bytes[0..<4]), bytes[4] == UInt8(ascii: "-"),
      let month = Self.number(bytes[5..<7]), bytes[7] == UInt8(ascii: "-"),
      let day = Self.number(bytes[8..<10]), "Tt ".utf8.contains(bytes[10]),
      let hour = Self.number(bytes[11..<13]), bytes[13] == UInt8(ascii: ":"),
      let minute = Self.number(bytes[14..<16])
    else { return nil }
    var rest = bytes[16...]
    var second = 0
    if rest.first == UInt8(ascii: ":") {
      guard let value = Self.number(rest.dropFirst().prefix(2)) else { return nil }
      second = value
      rest = rest.dropFirst(3)
      if rest.first == UInt8(ascii: ".") {
        let fraction = rest.dropFirst().prefix { Self.isDigit($0) }
        guard !fraction.isEmpty else { return nil }
        rest = rest.dropFirst(1 + fraction.count)
      }
    }
    guard Self.isZone(rest) else { return nil }
    offset = Self.offset(rest)
    date = DateComponents(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second)
  }

  /// Returns the seconds since 1970; `nil` for a nonexistent time.
  func seconds(in zone: TimeZone) -> Int64? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = offset == nil ? zone : .gmt
    // A calendar turns the 30th of February into the 2nd of March. A calendar also moves an hour
    // that the change to summer time skips.
    guard let instant = calendar.date(from: date) else { return nil }
    let units: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute, .second]
    let found = calendar.dateComponents(units, from: instant)
    let isSame = units.allSatisfy { found.value(for: $0) == date.value(for: $0) }
    guard isSame else { return nil }
    return Int64(instant.timeIntervalSince1970.rounded()) - Int64(offset ?? 0)
  }

  /// Returns whether a text is empty, `Z`, or an offset such as `+01:00`.
  private static func isZone(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.isEmpty || offset(bytes) != nil
  }

  private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
    let bytes = Array(bytes)
    if bytes.count == 1, "Zz".utf8.contains(bytes[0]) { return 0 }
    guard bytes.count == 6, "+-".utf8.contains(bytes[0]), bytes[3] == UInt8(ascii: ":"),
      let hours = number(bytes[1..<3]), let minutes = number(bytes[4..<6]), hours < 24,
      minutes < 60
    else { return nil }
    let seconds = (hours * 60 + minutes) * 60
    return bytes[0] == UInt8(ascii: "-") ? -seconds : seconds
  }

  /// Parses a number of two or four digits; `nil` for anything else.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.count == 2 || digits.count == 4, digits.allSatisfy({ isDigit($0) }) else {
      return nil
    }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
