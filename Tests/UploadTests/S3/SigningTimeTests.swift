import Foundation
import TestSupport
import Testing

@testable import Upload

@Suite struct SigningTimeTests {
  @Test(arguments: [
    (0, "19700101T000000Z"), (1_369_353_600, "20130524T000000Z"),
    (1_440_938_160, "20150830T123600Z"), (951_782_399, "20000228T235959Z"),
    (951_782_400, "20000229T000000Z"), (951_868_800, "20000301T000000Z"),
    (4_107_542_399, "21000228T235959Z"), (4_107_542_400, "21000301T000000Z"),
    (253_402_300_799, "99991231T235959Z"), (-1, "19700101T000000Z"),
    (Int64.max, "99991231T235959Z"),
  ])
  func `an instant is written in the format of AWS`(seconds: Int64, text: String) {
    #expect(SigningTime(seconds: seconds).text == text)
    #expect(SigningTime(seconds: seconds).date == String(text.prefix(8)))
  }

  @Test func `the time agrees with the system on any day`() async throws {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    let instants = (0..<200).map { _ in Int64.random(in: 0...253_402_300_799, using: &random) }
    let directory = TemporaryDirectory()
    let file = directory.path + "/instants"
    try instants.map { "@\($0)\n" }.joined().write(
      toFile: file, atomically: false, encoding: .utf8)
    let output = try await run("/usr/bin/date", ["-u", "-f", file, "+%Y%m%dT%H%M%SZ"])
    #expect(
      instants.map { SigningTime(seconds: $0).text }
        == output.split(separator: "\n").map(String.init), "seed \(seed)")
  }

  @Test func `writing a time is the inverse of reading a date`() throws {
    let date = "Tue, 24 Nov 2026 17:05:09 GMT"
    let seconds = try #require(HTTPDate.seconds(from: date, now: 0))
    #expect(SigningTime(seconds: seconds).text == "20261124T170509Z")
  }
}
