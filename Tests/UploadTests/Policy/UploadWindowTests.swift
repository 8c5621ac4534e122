import Foundation
import TestSupport
import Testing

@testable import Upload

@Suite struct UploadWindowTests {
  private func window(
    _ from: String, _ until: String, _ days: Set<LocalTime.Weekday>? = nil
  ) throws -> UploadWindow {
    let from = try #require(TimeOfDay(from))
    let until = try #require(TimeOfDay(until))
    guard let days else { return UploadWindow(from: from, until: until) }
    return UploadWindow(from: from, until: until, days: days)
  }

  private func time(_ day: LocalTime.Weekday, _ hour: Int, _ minute: Int, _ second: Int = 0)
    -> LocalTime
  {
    LocalTime(weekday: day, secondOfDay: hour * 3600 + minute * 60 + second)
  }

  @Test func `a window within a day opens and closes`() throws {
    let window = try window("08:00", "17:30")
    #expect(window.opens(after: time(.monday, 7, 59, 59)) == .seconds(1))
    #expect(window.opens(after: time(.monday, 8, 0)) == nil)
    #expect(window.opens(after: time(.monday, 17, 29, 59)) == nil)
    #expect(window.opens(after: time(.monday, 17, 30)) == .seconds(14.5 * 3600))
  }

  @Test func `a window may cross midnight`() throws {
    let window = try window("22:00", "06:00")
    #expect(window.opens(after: time(.sunday, 21, 59)) == .seconds(60))
    #expect(window.opens(after: time(.sunday, 22, 0)) == nil)
    #expect(window.opens(after: time(.monday, 0, 0)) == nil)
    #expect(window.opens(after: time(.monday, 5, 59, 59)) == nil)
    #expect(window.opens(after: time(.monday, 6, 0)) == .seconds(16 * 3600))
  }

  @Test func `days are those on which the window opens`() throws {
    let window = try window("22:00", "06:00", [.friday, .sunday])
    #expect(window.opens(after: time(.friday, 3, 0)) == .seconds(19 * 3600))
    #expect(window.opens(after: time(.friday, 23, 0)) == nil)
    #expect(window.opens(after: time(.saturday, 5, 0)) == nil, "it opened on Friday")
    #expect(window.opens(after: time(.saturday, 6, 0)) == .seconds(40 * 3600))
    #expect(window.opens(after: time(.monday, 5, 0)) == nil, "it opened on Sunday")
    #expect(window.opens(after: time(.monday, 6, 0)) == .seconds(112 * 3600))
  }

  @Test func `a window that ends when it begins lasts the whole day`() throws {
    let window = try window("00:00", "00:00", [.saturday])
    #expect(window.opens(after: time(.saturday, 0, 0)) == nil)
    #expect(window.opens(after: time(.saturday, 23, 59, 59)) == nil)
    #expect(window.opens(after: time(.sunday, 0, 0)) == .seconds(6 * 86_400))
  }

  /// The named moment is the first at which the window is open, for every window.
  @Test func `the named opening is the first moment at which the window is open`() {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    let days = LocalTime.Weekday.allCases
    for _ in 0..<2000 {
      let clock = { (random: inout SeededGenerator) in
        TimeOfDay(
          ["00:00", "00:01", "06:30", "12:00", "23:59"].randomElement(using: &random) ?? "00:00")
      }
      guard let from = clock(&random), let until = clock(&random) else { continue }
      var some = Set(days.filter { _ in Bool.random(using: &random) })
      if some.isEmpty { some = [.monday] }
      let window = UploadWindow(from: from, until: until, days: some)
      let second = Int.random(in: 0..<(7 * 86_400), using: &random)
      let moment = { (second: Int) in
        LocalTime(
          weekday: days[second % (7 * 86_400) / 86_400], secondOfDay: second % 86_400)
      }
      guard let wait = window.opens(after: moment(second)) else { continue }
      let seconds = Int(wait.components.seconds)
      #expect(seconds > 0 && seconds <= 7 * 86_400, "\(window), seed \(seed)")
      #expect(window.opens(after: moment(second + seconds)) == nil, "\(window), seed \(seed)")
      #expect(window.opens(after: moment(second + seconds - 1)) != nil, "\(window), seed \(seed)")
      #expect(window.opens(after: moment(second + seconds / 2)) != nil, "\(window), seed \(seed)")
    }
  }

  @Test(arguments: ["", "6:00", "06:60", "24:00", "06-00", "06:00:00", "+6:00", "٠٦:٠٠", " 06:00"])
  func `text that is no time of day is refused`(text: String) {
    #expect(TimeOfDay(text) == nil)
  }

  @Test func `a time of day is written as it is read`() throws {
    for text in ["00:00", "06:05", "19:40", "23:59"] {
      #expect(try #require(TimeOfDay(text)).description == text)
    }
    #expect(try window("22:00", "06:00").description == "22:00-06:00")
    #expect(try window("22:00", "06:00", [.sunday, .friday]).description == "22:00-06:00 Fri,Sun")
  }

  /// The referee is Foundation's calendar.
  @Test func `the local time agrees with the calendar`() throws {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let seconds = Int64.random(in: -4_000_000_000...8_000_000_000, using: &random)
      let offset = Int.random(in: -14...14, using: &random) * 3600
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(secondsFromGMT: offset))
      let parts = calendar.dateComponents(
        [.weekday, .hour, .minute, .second],
        from: Date(timeIntervalSince1970: TimeInterval(seconds)))
      let time = LocalTime(wallNanoseconds: seconds * 1_000_000_000, secondsFromGMT: offset)
      let weekday = ((parts.weekday ?? 0) + 5) % 7
      let second = (parts.hour ?? 0) * 3600 + (parts.minute ?? 0) * 60 + (parts.second ?? 0)
      #expect(time.weekday.rawValue == weekday, "\(seconds) \(offset)")
      #expect(time.secondOfDay == second, "\(seconds) \(offset)")
    }
  }
}
