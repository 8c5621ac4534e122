import Testing

@testable import Transfer

@Suite struct ProgressWatchTests {
  private let start = ContinuousClock.now

  @Test func `a connecting exchange does not stall`() {
    var watch = ProgressWatch(start: start, stallTimeout: .seconds(3), totalTimeout: nil)
    #expect(watch.check(at: start + .seconds(100), bytesMoved: 0) == .wait(.seconds(3)))
  }

  @Test func `each byte restarts the stall timeout`() {
    var watch = ProgressWatch(start: start, stallTimeout: .seconds(3), totalTimeout: nil)
    #expect(watch.check(at: start + .seconds(1), bytesMoved: 10) == .wait(.seconds(3)))
    #expect(watch.check(at: start + .seconds(3), bytesMoved: 10) == .wait(.seconds(1)))
    #expect(watch.check(at: start + .seconds(3.5), bytesMoved: 11) == .wait(.seconds(3)))
    #expect(watch.check(at: start + .seconds(6.5), bytesMoved: 11) == .stalled)
  }

  @Test func `the total timeout holds however many bytes move`() {
    var watch = ProgressWatch(
      start: start, stallTimeout: .seconds(3), totalTimeout: .seconds(5))
    #expect(watch.check(at: start + .seconds(4), bytesMoved: 1) == .wait(.seconds(1)))
    #expect(watch.check(at: start + .seconds(5), bytesMoved: 2) == .tooLong)
  }
}
