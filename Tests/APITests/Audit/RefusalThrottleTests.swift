import Devices
import TestSupport
import Testing

@testable import API

@Suite struct RefusalThrottleTests {
  @Test func `refusals are entered ever more rarely for each caller and status`() {
    var throttle = RefusalThrottle()
    let times: [Int64] = [0, 1, 999, 1000, 1001, 2999, 3000, 6999, 7000, 607_000, 608_000]
    let taken = times.map { throttle.take(.user(7), status: 403, at: instant($0)) }
    #expect(taken == [0, nil, nil, 2, nil, nil, 2, nil, 1, 0, 0])
    #expect(throttle.take(.user(7), status: 429, at: instant(1001)) == 0)
    #expect(throttle.take(.user(8), status: 403, at: instant(1001)) == 0)
  }

  @Test func `a day of refusals leaves room for other entries`() {
    var throttle = RefusalThrottle()
    let entered = (0..<864_000).count {
      throttle.take(.user(7), status: 403, at: instant(Int64($0) * 100)) != nil
    }
    #expect((1350...1360).contains(entered))
  }

  @Test func `addresses count as one caller`() {
    var throttle = RefusalThrottle()
    let taken = (1...100).map {
      throttle.take(.address("2001:db8::\($0)"), status: 401, at: instant(Int64($0)))
    }
    #expect(taken == [0] + Array(repeating: nil, count: 99))
  }

  @Test func `the number of remembered callers is limited`() {
    var throttle = RefusalThrottle()
    for number in UInt32(0)..<1000 {
      #expect(throttle.take(.user(number), status: 403, at: instant(Int64(number))) == 0)
    }
    // The newest callers are remembered, the oldest are not.
    #expect(throttle.take(.user(999), status: 403, at: instant(1000)) == nil)
    #expect(throttle.take(.user(0), status: 403, at: instant(999)) == 0)
  }
}
