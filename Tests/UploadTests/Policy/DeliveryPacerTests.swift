import Testing

@testable import Upload

@Suite struct DeliveryPacerTests {
  @Test(arguments: [(1, 60.0), (6, 10), (60, 1), (600, 0.1)])
  func `starts are evenly spaced`(perMinute: Int, seconds: Double) {
    var pacer = DeliveryPacer(perMinute: perMinute)
    #expect(pacer.ready(at: .seconds(5)) == .seconds(5), "the first may begin at once")
    pacer.began(at: .seconds(5))
    #expect(pacer.ready(at: .seconds(5)) == .seconds(5) + .seconds(seconds))
    #expect(pacer.ready(at: .seconds(500)) == .seconds(500))
    pacer.began(at: .seconds(500))
    #expect(pacer.ready(at: .seconds(500)) == .seconds(500) + .seconds(seconds))
  }

  @Test func `starts are not spaced without a limit`() {
    var pacer = DeliveryPacer(perMinute: nil)
    pacer.began(at: .seconds(5))
    #expect(pacer.ready(at: .seconds(5)) == .seconds(5))
  }
}
