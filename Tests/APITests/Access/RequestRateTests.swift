import Devices
import TestSupport
import Testing

@testable import API

@Suite struct RequestRateTests {
  private let user = Caller.Account.user(1000)

  private func instant(_ seconds: Double) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: 1_000_000_000 + Int64(seconds * 1e9))
  }

  @Test func `a burst is allowed and then the rate`() {
    var rate = RequestRate(limit: RequestRate.Limit(perSecond: 2, burst: 3))
    let burst = (0..<4).map { _ in rate.admit(user, at: instant(0)) }
    #expect(burst == [nil, nil, nil, .milliseconds(500)])
    #expect(rate.admit(user, at: instant(0.25)) == .milliseconds(250))
    #expect(rate.admit(user, at: instant(0.5)) == nil)
    #expect(rate.admit(user, at: instant(0.5)) == .milliseconds(500))
  }

  @Test func `a caller does not use up the rate of another`() {
    var rate = RequestRate(limit: RequestRate.Limit(perSecond: 1, burst: 1))
    #expect(rate.admit(user, at: instant(0)) == nil)
    #expect(rate.admit(user, at: instant(0)) != nil)
    #expect(rate.admit(.user(1001), at: instant(0)) == nil)
  }

  @Test func `a rest allows no more than the burst`() {
    var rate = RequestRate(limit: RequestRate.Limit(perSecond: 1000, burst: 2))
    _ = rate.admit(user, at: instant(0))
    let later = (0..<3).map { _ in rate.admit(user, at: instant(3600)) }
    #expect(later.filter { $0 == nil }.count == 2)
  }

  @Test func `a clock that stands still allows no request`() {
    var rate = RequestRate(limit: RequestRate.Limit(perSecond: 1, burst: 1))
    #expect(rate.admit(user, at: instant(5)) == nil)
    #expect(rate.admit(user, at: instant(4)) == .seconds(1))
  }

  /// No pattern of requests gets more than the burst and the rate together.
  @Test(arguments: [1, 20_261_122, 0xDEAD_BEEF] as [UInt64])
  func `the limit holds for any pattern`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let limit = RequestRate.Limit(perSecond: 20, burst: 7)
    var rate = RequestRate(limit: limit)
    var seconds = 0.0
    var admitted = 0
    for _ in 0..<5000 {
      seconds += Double.random(in: 0...0.05, using: &generator)
      if rate.admit(user, at: instant(seconds)) == nil { admitted += 1 }
      #expect(Double(admitted) <= 7.001 + seconds * 20, "seed \(seed) after \(seconds) s")
    }
    #expect(Double(admitted) > seconds * 19)
  }

  @Test func `the number of callers is limited`() {
    var rate = RequestRate(limit: RequestRate.Limit(perSecond: 1, burst: 2))
    // A caller without remaining requests is not forgotten first.
    _ = rate.admit(user, at: instant(0))
    _ = rate.admit(user, at: instant(0))
    for number in UInt32(2000)..<4000 { #expect(rate.admit(.user(number), at: instant(0)) == nil) }
    #expect(rate.callerCount == RequestRate.maximumCallers)
    #expect(rate.admit(user, at: instant(0)) != nil)
  }

  @Test(arguments: [
    (0.0, 0, 0.001, 1), (-5, -5, 0.001, 1), (5000, 10, 1000, 10), (50, 100, 50, 100),
  ])
  func `a limit is kept within its bounds`(
    perSecond: Double, burst: Int, heldTo: Double, _ heldBurst: Int
  ) {
    let limit = RequestRate.Limit(perSecond: perSecond, burst: burst)
    #expect(limit.perSecond == heldTo && limit.burst == heldBurst)
  }
}
