import Testing

@testable import Capture

@Suite struct PendingDurationTests {
  @Test func `a shorter exposure counts only after the frames with the longer one`() {
    var wish = PendingDuration(.seconds(10))
    wish.set(.milliseconds(10))
    for _ in 1..<PendingDuration.framesUnderWay {
      wish.frameArrived()
      #expect(wish.longest == .seconds(10))
    }
    wish.frameArrived()
    #expect(wish.longest == .milliseconds(10))
  }

  @Test func `a longer exposure counts at once`() {
    var wish = PendingDuration(.milliseconds(10))
    wish.set(.seconds(2))
    #expect(wish.longest == .seconds(2))
    for _ in 0..<100 { wish.frameArrived() }
    #expect(wish.longest == .seconds(2))
  }

  @Test func `the longest of several exposures counts`() {
    var wish = PendingDuration()
    wish.set(.seconds(5))
    wish.frameArrived()
    wish.set(.seconds(1))
    wish.frameArrived()
    wish.set(.seconds(2))
    #expect(wish.longest == .seconds(5))
    for _ in 0..<PendingDuration.framesUnderWay { wish.frameArrived() }
    #expect(wish.longest == .seconds(2))
  }
}
