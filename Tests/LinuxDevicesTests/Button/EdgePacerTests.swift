import Devices
import TestSupport
import Testing

@testable import LinuxDevices

@Suite struct EdgePacerTests {
  @Test func `a bouncing button is read at once`() {
    var pacer = EdgePacer()
    for millisecond in 0..<15 {
      let firstRests = pacer.takesRest(afterReading: 2, at: instant(millisecond))
      #expect(!firstRests)
    }
  }

  @Test func `a steady stream below the limit never rests`() {
    var pacer = EdgePacer()
    for millisecond in 0..<10_000 {
      let firstRests = pacer.takesRest(afterReading: 1, at: instant(millisecond))
      #expect(!firstRests)
    }
  }

  @Test func `a storm rests`() {
    var pacer = EdgePacer()
    let firstRests = pacer.takesRest(afterReading: 31, at: instant(0))
    #expect(!firstRests)
    let secondRests = pacer.takesRest(afterReading: 1, at: instant(1))
    #expect(secondRests)
  }

  @Test func `a full batch rests at once and again after the rest`() {
    var pacer = EdgePacer()
    let firstRests = pacer.takesRest(afterReading: 64, at: instant(0))
    #expect(firstRests)
    let secondRests = pacer.takesRest(afterReading: 64, at: instant(20))
    #expect(secondRests)
  }

  @Test func `wake-ups are limited in any storm`() {
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
