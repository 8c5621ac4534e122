import Devices
import Testing

@testable import LinuxDevices

@Suite struct EdgePacerTests {
  private func instant(_ milliseconds: Int) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: Int64(milliseconds) * 1_000_000)
  }

  @Test func aBouncingButtonIsReadAsItComes() {
    var pacer = EdgePacer()
    for millisecond in 0..<15 {
      let firstRests = pacer.takesRest(afterReading: 2, at: instant(millisecond))
      #expect(!firstRests)
    }
  }

  @Test func aSteadyStreamBelowTheLimitNeverRests() {
    var pacer = EdgePacer()
    for millisecond in 0..<10_000 {
      let firstRests = pacer.takesRest(afterReading: 1, at: instant(millisecond))
      #expect(!firstRests)
    }
  }

  @Test func aStormRests() {
    var pacer = EdgePacer()
    let firstRests = pacer.takesRest(afterReading: 31, at: instant(0))
    #expect(!firstRests)
    let secondRests = pacer.takesRest(afterReading: 1, at: instant(1))
    #expect(secondRests)
  }

  @Test func aFullBatchRestsAtOnceAndAgainAfterTheRest() {
    var pacer = EdgePacer()
    let firstRests = pacer.takesRest(afterReading: 64, at: instant(0))
    #expect(firstRests)
    let secondRests = pacer.takesRest(afterReading: 64, at: instant(20))
    #expect(secondRests)
  }

  @Test func wakeUpsAreBoundedWhateverTheStorm() {
    for edgesPerMillisecond in [2, 10, 100, 1000] {
      var pacer = EdgePacer()
      var wakeUps = 0
      var restsUntil = 0
      for millisecond in 0..<1000 where millisecond >= restsUntil {
        wakeUps += 1
        let batch = min(edgesPerMillisecond, 64)
        if pacer.takesRest(afterReading: batch, at: instant(millisecond)) {
          restsUntil = millisecond + 20
        }
      }
      #expect(wakeUps <= 1000 / 20 * 16, "\(edgesPerMillisecond) edges a millisecond")
    }
  }
}
