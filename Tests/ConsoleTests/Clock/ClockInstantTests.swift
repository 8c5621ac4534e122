import Foundation
import TestSupport
import Testing

@testable import Console

@Suite struct ClockInstantTests {
  /// Typed times, and the instants that they mean.
  static let times: [(String, String)] = [
    ("2026-11-22T21:30:00Z", "2026-11-22T21:30:00Z"),
    ("2026-11-22t21:30:00z", "2026-11-22T21:30:00Z"),
    ("2026-11-22 21:30:05Z", "2026-11-22T21:30:05Z"),
    ("2026-11-22T21:30Z", "2026-11-22T21:30:00Z"),
    ("2026-11-22T21:30:05.987654321Z", "2026-11-22T21:30:05Z"),
    ("2026-11-22T22:30:00+01:00", "2026-11-22T21:30:00Z"),
    ("2026-11-22T16:00:00-05:30", "2026-11-22T21:30:00Z"),
    ("2027-01-01T00:30:00+01:00", "2026-12-31T23:30:00Z"),
    ("2028-02-29T12:00:00Z", "2028-02-29T12:00:00Z"),
    ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
    ("2099-12-31T23:59:59Z", "2099-12-31T23:59:59Z"),
    // In Berlin, in winter and in summer.
    ("2026-11-22 22:30", "2026-11-22T21:30:00Z"),
    ("2026-07-01T12:00:30", "2026-07-01T10:00:30Z"),
  ]

  private func berlin() throws -> TimeZone {
    try #require(TimeZone(identifier: "Europe/Berlin"))
  }

  @Test(arguments: times) func `a time is read`(_ typed: String, _ meant: String) throws {
    let instant = try ClockInstant(typed, in: try berlin())
    #expect(instant.text == meant)
  }

  /// Typed times without a zone, and the sentence that names the zone of the rig.
  static let assumed: [(String, String)] = [
    (
      "2026-11-22 22:30",
      "2026-11-22T21:30:00Z, which is 2026-11-22 22:30 in the rig's own zone, Europe/Berlin "
        + "(UTC+01:00)"
    ),
    (
      "2026-07-01T12:00:30",
      "2026-07-01T10:00:30Z, which is 2026-07-01T12:00:30 in the rig's own zone, Europe/Berlin "
        + "(UTC+02:00)"
    ),
  ]

  @Test(arguments: assumed) func `a zone that is not typed is named`(
    _ typed: String, _ explained: String
  ) throws {
    #expect(try ClockInstant(typed, in: try berlin()).explainedText == explained)
  }

  @Test func `a zone west of Greenwich is named, and a typed zone needs no explanation`() throws {
    let zone = try #require(TimeZone(identifier: "America/St_Johns"))
    let assumed = try ClockInstant("2026-11-22 18:00", in: zone)
    #expect(assumed.explainedText.hasPrefix("2026-11-22T21:30:00Z, which is 2026-11-22 18:00 "))
    #expect(assumed.explainedText.hasSuffix("America/St_Johns (UTC-03:30)"))
    for typed in ["2026-11-22T21:30:00Z", "2026-11-22T18:00:00-03:30"] {
      #expect(try ClockInstant(typed, in: zone).explainedText == "2026-11-22T21:30:00Z")
    }
  }

  static let wrong: [(String, String)] = [
    ("", "is no time"), ("now", "is no time"), ("1795383000", "is no time"),
    ("@1795383000", "is no time"), ("2026-11-22", "is no time"), ("21:30", "is no time"),
    ("2026-11-22T21:30:00ZZ", "is no time"), ("2026-11-22T21:30:00Z ", "is no time"),
    ("2026-11-22T21:30:00.Z", "is no time"), ("2026-11-22T21:3:00Z", "is no time"),
    ("2026-11-22T21:30:0Z", "is no time"), ("2026-11-22T21:30:00+1", "is no time"),
    ("2026-11-22T21:30:00+24:00", "is no time"), ("2026-11-22T21:30:00 UTC", "is no time"),
    ("2026-11-22_21:30", "is no time"), ("+026-11-22T21:30:00Z", "is no time"),
    ("2026-11-22T21:30:00Z; reboot", "is no time"), ("２026-11-22T21:30", "is no time"),
    (String(repeating: "2026-11-22T21:30:00Z", count: 1000), "is no time"),
    ("2026-02-29T12:00:00Z", "no such day"), ("2026-13-01T12:00:00Z", "no such day"),
    ("2026-11-22T24:00:00Z", "no such day"), ("2026-11-22T23:60:00Z", "no such day"),
    ("2026-11-22T23:59:60Z", "no such day"), ("2026-00-10T00:00:00Z", "no such day"),
    // The hour that Berlin skips in spring.
    ("2026-03-29 02:30", "no such hour"),
    ("1970-01-01T00:00:00Z", "years 2026 to 2099"), ("2025-12-31T23:59:59Z", "years 2026"),
    ("2100-01-01T00:00:00Z", "years 2026 to 2099"), ("9999-01-01T00:00:00Z", "years 2026"),
    ("2026-01-01T00:30:00+01:00", "years 2026"),
  ]

  @Test(arguments: wrong) func `an invalid time is explained`(_ typed: String, _ words: String)
    throws
  {
    let zone = try berlin()
    let problem = #expect(throws: ClockInstant.Problem.self) {
      try ClockInstant(typed, in: zone)
    }
    #expect(problem?.description.contains(words) == true, "\(problem?.description ?? "none")")
    #expect(problem.map { $0.description.count < 240 } == true)
  }

  @Test func `every second can be typed`() throws {
    var numbers = TestSeed.generator()
    for _ in 0..<500 {
      let seconds = Int64.random(in: ClockInstant.plausibleSeconds, using: &numbers)
      let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
      let instant = try ClockInstant(text)
      #expect(instant.secondsSinceEpoch == seconds && instant.text == text)
    }
  }
}
