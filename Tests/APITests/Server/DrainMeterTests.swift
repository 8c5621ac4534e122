import Testing

@testable import API

@Suite struct DrainMeterTests {
  @Test(
    arguments: [
      (-5, false), (0, false), (1, false), (30_719, false), (30_720, true), (900_000, true),
    ] as [(Int, Bool)])
  func `the amount read in a minute is enough or not`(taken: Int, isEnough: Bool) {
    var meter = DrainMeter(left: 1_000_000, leastRate: 512, interval: .seconds(60))
    let answer = meter.look(left: 1_000_000 - taken)
    #expect(answer == isEnough)
  }

  /// Bytes read earlier do not count for a client that stops reading.
  @Test func `each look counts only its own interval`() {
    var meter = DrainMeter(left: 1_000_000, leastRate: 512, interval: .seconds(60))
    let answers = [500_000, 460_000, 459_000].map { meter.look(left: $0) }
    #expect(answers == [true, true, false])
  }

  @Test func `a byte must be read even in a very short time`() {
    var meter = DrainMeter(left: 10, leastRate: 512, interval: .microseconds(1))
    let answers = [9, 9].map { meter.look(left: $0) }
    #expect(answers == [true, false])
  }

  /// A reader at 9600 baud, whose progress the kernel reports in steps of 16 kB.
  @Test(arguments: 0..<17) func `a serial line is fast enough`(phase: Int) {
    func left(at second: Int) -> Int {
      let taken = 960 * (phase + second)
      return 4_000_000 - taken / 16_320 * 16_320
    }
    var meter = DrainMeter(left: left(at: 0), leastRate: 512, interval: .seconds(60))
    let answers = (1...60).map { meter.look(left: left(at: 60 * $0)) }
    #expect(answers.allSatisfy { $0 })
  }
}
