import Testing

@testable import Capture

@Suite struct ExposureWishTests {
  @Test func aShorterWishCountsOnlyWhenTheLongerIsInNoFrameAnyMore() {
    var wish = ExposureWish(.seconds(10))
    wish.set(.milliseconds(10))
    for _ in 1..<ExposureWish.framesUnderWay {
      wish.frameArrived()
      #expect(wish.longest == .seconds(10))
    }
    wish.frameArrived()
    #expect(wish.longest == .milliseconds(10))
  }

  @Test func aLongerWishCountsAtOnce() {
    var wish = ExposureWish(.milliseconds(10))
    wish.set(.seconds(2))
    #expect(wish.longest == .seconds(2))
    for _ in 0..<100 { wish.frameArrived() }
    #expect(wish.longest == .seconds(2))
  }

  @Test func theLongestOfSeveralWishesCounts() {
    var wish = ExposureWish()
    wish.set(.seconds(5))
    wish.frameArrived()
    wish.set(.seconds(1))
    wish.frameArrived()
    wish.set(.seconds(2))
    #expect(wish.longest == .seconds(5))
    for _ in 0..<ExposureWish.framesUnderWay { wish.frameArrived() }
    #expect(wish.longest == .seconds(2))
  }
}
